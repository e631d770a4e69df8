"""The balance of a panel or cabinet, and the moves that lead to it."""
