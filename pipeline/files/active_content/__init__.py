"""Active content of uploads. inspection.py runs these modules in a process of its own, without the rest of the service.

So they import nothing of the service but each other. Each has `found(file, kind)`: what stands in the way, or None.
"""
