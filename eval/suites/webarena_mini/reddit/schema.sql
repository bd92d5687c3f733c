-- The forum's data. One person is always signed in: `world.user` is the id of a row of `users`.

CREATE TABLE world (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE notices (id INTEGER PRIMARY KEY, text TEXT NOT NULL);

CREATE TABLE users (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE COLLATE NOCASE,
    joined_on TEXT NOT NULL,
    biography TEXT NOT NULL
);

CREATE TABLE forums (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE COLLATE NOCASE,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    sidebar TEXT NOT NULL,
    created_on TEXT NOT NULL,
    subscribers INTEGER NOT NULL -- the signed-in person is not among them
);
CREATE TABLE subscriptions (forum_id INTEGER PRIMARY KEY REFERENCES forums);

CREATE TABLE posts (
    id INTEGER PRIMARY KEY,
    forum_id INTEGER NOT NULL REFERENCES forums,
    user_id INTEGER NOT NULL REFERENCES users,
    title TEXT NOT NULL,
    slug TEXT NOT NULL,
    url TEXT NOT NULL, -- empty for a text
    body TEXT NOT NULL,
    votes INTEGER NOT NULL, -- of all others
    comments_ever INTEGER NOT NULL DEFAULT 0, -- deleted ones too
    created_at TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('public', 'draft', 'deleted'))
);
CREATE INDEX posts_by_forum ON posts (forum_id, state);
CREATE INDEX posts_by_user ON posts (user_id);

CREATE TABLE comments (
    id INTEGER PRIMARY KEY,
    post_id INTEGER NOT NULL REFERENCES posts,
    parent_id INTEGER REFERENCES comments,
    user_id INTEGER NOT NULL REFERENCES users,
    body TEXT NOT NULL,
    votes INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    deleted INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX comments_by_post ON comments (post_id);
CREATE INDEX comments_by_user ON comments (user_id);

-- How the signed-in person voted: 1 or -1.
CREATE TABLE post_votes (post_id INTEGER PRIMARY KEY REFERENCES posts, value INTEGER NOT NULL);
CREATE TABLE comment_votes (comment_id INTEGER PRIMARY KEY REFERENCES comments, value INTEGER NOT NULL);

CREATE TABLE blocks (user_id INTEGER PRIMARY KEY REFERENCES users, note TEXT NOT NULL, blocked_on TEXT NOT NULL);

CREATE TABLE messages (
    id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES users, -- with whom
    sent INTEGER NOT NULL,
    subject TEXT NOT NULL,
    body TEXT NOT NULL,
    created_at TEXT NOT NULL
);

-- Posts that can be seen, with the numbers that lists show.
CREATE VIEW shown_posts AS
SELECT p.id, p.forum_id, p.user_id, p.title, p.slug, p.url, p.body, p.created_at, p.comments_ever,
    f.name AS forum, f.title AS board, u.name AS author, p.votes + coalesce(v.value, 0) AS score, coalesce(v.value, 0) AS my_vote,
    '/f/' || f.name || '/' || p.id || '/' || p.slug AS path
FROM posts p JOIN forums f ON f.id = p.forum_id JOIN users u ON u.id = p.user_id
LEFT JOIN post_votes v ON v.post_id = p.id
WHERE p.state = 'public';
