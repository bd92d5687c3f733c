"""What all sites are made with: the application, its database, forms, layout and the shared pieces of templates."""
