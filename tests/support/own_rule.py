"""The text of a file with a rule of a user."""

SHORT = '''
import rigview


@rigview.rule("clip-short", fix="add keys", severity="info", limits={"seconds": 0.2})
def clip_short(context):
    """A clip is too short to be seen."""
    for clip in context.clips:
        if clip.duration < context.limits["seconds"]:
            yield context.finding(f"{clip.name} is short", clip=clip)
'''
