"""The code hosting site: projects with their issues, merge requests, commits, files and people."""
