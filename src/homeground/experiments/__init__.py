"""Judgements of one run or several → tables of estimates; one question of the papers a file."""
