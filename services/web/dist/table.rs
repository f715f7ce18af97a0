// Written by build.mjs.
&[
    ("/assets/preload-6b7f49c51c.js", include_bytes!("assets/preload-6b7f49c51c.js")),
    ("/assets/page-9d92507320.js", include_bytes!("assets/page-9d92507320.js")),
    ("/assets/page-168f47a57f.css", include_bytes!("assets/page-168f47a57f.css")),
    ("/assets/icon-1966196cf5.svg", include_bytes!("assets/icon-1966196cf5.svg")),
    ("/index.html", include_bytes!("index.html")),
    ("/embed/v1/pentad-board.js", include_bytes!("embed/v1/pentad-board.js")),
    ("/embed/v1/example.js", include_bytes!("embed/v1/example.js")),
    ("/embed/v1/example.css", include_bytes!("embed/v1/example.css")),
    ("/embed/v1/example.html", include_bytes!("embed/v1/example.html")),
    ("/docs.html", include_bytes!("docs.html")),
    ("/docs/docs.js", include_bytes!("docs.js")),
    ("/docs/docs.css", include_bytes!("docs.css")),
]
