"""Loading files of any format: glTF, BVH, clips of other files, git revisions; watching them."""
