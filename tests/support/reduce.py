"""Makes lists smaller that fail (delta debugging)."""


def reduce(items, still, over):
    """Return a part of a list for which `still` holds and from which no item can be removed.

    When `over` returns True, the part found so far is returned.
    """
    size = max(len(items) // 2, 1)
    while items and not over():
        before = len(items)
        at = 0
        while at < len(items) and not over():
            fewer = items[:at] + items[at + size :]
            if still(fewer):
                items = fewer
            else:
                at += size
        if size == 1 and len(items) == before:
            break
        size = max(size // 2, 1)
    return items
