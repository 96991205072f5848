"""Characters of contracts: their widths, fonts, capitals and scripts."""
