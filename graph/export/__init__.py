"""Write a graph, or a part of it, as a file that other people's tools open."""
