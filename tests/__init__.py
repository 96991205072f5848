"""The specification of Pipeline."""
