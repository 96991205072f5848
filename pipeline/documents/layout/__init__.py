"""Tables, borders and margins as both renderers lay them out, and the watermark of a draft."""
