-- The code host's database. Dates as ISO text; one file of these tables is one attempt's whole state.

-- 'me' is the id of the user who is signed in.
CREATE TABLE world (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE users (
    id INTEGER PRIMARY KEY,
    username TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL UNIQUE,
    email TEXT NOT NULL UNIQUE,
    bio TEXT NOT NULL,
    place TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT '',
    joined_on TEXT NOT NULL
);

-- `stars` and `forks` count those of everybody.
CREATE TABLE projects (
    id INTEGER PRIMARY KEY,
    namespace TEXT NOT NULL,
    slug TEXT NOT NULL,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    visibility TEXT NOT NULL CHECK (visibility IN ('Public', 'Internal', 'Private')),
    default_branch TEXT NOT NULL,
    stars INTEGER NOT NULL,
    forks INTEGER NOT NULL,
    forked_from INTEGER REFERENCES projects (id),
    created_on TEXT NOT NULL,
    updated_on TEXT NOT NULL,
    UNIQUE (namespace, slug)
);

-- Projects that the signed in user starred.
CREATE TABLE starred (project_id INTEGER PRIMARY KEY REFERENCES projects (id), starred_on TEXT NOT NULL);

CREATE TABLE members (
    project_id INTEGER NOT NULL REFERENCES projects (id),
    user_id INTEGER NOT NULL REFERENCES users (id),
    role TEXT NOT NULL CHECK (role IN ('Guest', 'Reporter', 'Developer', 'Maintainer', 'Owner')),
    since TEXT NOT NULL,
    PRIMARY KEY (project_id, user_id)
) WITHOUT ROWID;

CREATE TABLE labels (
    id INTEGER PRIMARY KEY,
    project_id INTEGER NOT NULL REFERENCES projects (id),
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    UNIQUE (project_id, name)
);

CREATE TABLE milestones (
    id INTEGER PRIMARY KEY,
    project_id INTEGER NOT NULL REFERENCES projects (id),
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    starts_on TEXT NOT NULL,
    due_on TEXT NOT NULL,
    UNIQUE (project_id, title)
);

-- Issues and merge requests, each numbered by itself within a project. An issue has no branches.
CREATE TABLE items (
    id INTEGER PRIMARY KEY,
    project_id INTEGER NOT NULL REFERENCES projects (id),
    kind TEXT NOT NULL CHECK (kind IN ('issue', 'merge_request')),
    number INTEGER NOT NULL,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    author_id INTEGER NOT NULL REFERENCES users (id),
    assignee_id INTEGER REFERENCES users (id),
    reviewer_id INTEGER REFERENCES users (id),
    milestone_id INTEGER REFERENCES milestones (id),
    state TEXT NOT NULL CHECK (state IN ('opened', 'closed', 'merged')),
    source_branch TEXT NOT NULL DEFAULT '',
    target_branch TEXT NOT NULL DEFAULT '',
    created_on TEXT NOT NULL,
    updated_on TEXT NOT NULL,
    UNIQUE (project_id, kind, number)
);
CREATE INDEX items_by_assignee ON items (assignee_id);

CREATE TABLE item_labels (
    item_id INTEGER NOT NULL REFERENCES items (id),
    label_id INTEGER NOT NULL REFERENCES labels (id),
    PRIMARY KEY (item_id, label_id)
) WITHOUT ROWID;

CREATE TABLE approvals (
    item_id INTEGER NOT NULL REFERENCES items (id),
    user_id INTEGER NOT NULL REFERENCES users (id),
    PRIMARY KEY (item_id, user_id)
) WITHOUT ROWID;

-- A pending comment belongs to a review that is not submitted yet: only its author sees it.
CREATE TABLE comments (
    id INTEGER PRIMARY KEY,
    item_id INTEGER NOT NULL REFERENCES items (id),
    author_id INTEGER NOT NULL REFERENCES users (id),
    written_on TEXT NOT NULL,
    text TEXT NOT NULL,
    pending INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX comments_by_item ON comments (item_id);

-- What was chosen in the side panel of an issue or a merge request and is not saved yet. `value` holds ids.
CREATE TABLE drafts (
    item_id INTEGER NOT NULL REFERENCES items (id),
    field TEXT NOT NULL CHECK (field IN ('assignee', 'reviewer', 'milestone', 'labels')),
    value TEXT NOT NULL,
    PRIMARY KEY (item_id, field)
) WITHOUT ROWID;

-- A branch has the default branch's commits up to the day on which it left it, and its own.
CREATE TABLE branches (
    id INTEGER PRIMARY KEY,
    project_id INTEGER NOT NULL REFERENCES projects (id),
    name TEXT NOT NULL,
    left_on TEXT NOT NULL,
    UNIQUE (project_id, name)
);

CREATE TABLE commits (
    id INTEGER PRIMARY KEY,
    project_id INTEGER NOT NULL REFERENCES projects (id),
    branch_id INTEGER NOT NULL REFERENCES branches (id),
    sha TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    author_id INTEGER NOT NULL REFERENCES users (id),
    email TEXT NOT NULL,
    committed_on TEXT NOT NULL
);
CREATE INDEX commits_by_branch ON commits (branch_id, committed_on DESC, id DESC);

CREATE TABLE commit_files (
    commit_id INTEGER NOT NULL REFERENCES commits (id),
    path TEXT NOT NULL,
    added INTEGER NOT NULL,
    removed INTEGER NOT NULL,
    PRIMARY KEY (commit_id, path)
) WITHOUT ROWID;

-- A branch has the default branch's files where it has none of its own under that path.
CREATE TABLE files (
    branch_id INTEGER NOT NULL REFERENCES branches (id),
    path TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (branch_id, path)
) WITHOUT ROWID;

-- What the signed in user did, oldest first.
CREATE TABLE events (
    id INTEGER PRIMARY KEY,
    happened_on TEXT NOT NULL,
    project_id INTEGER NOT NULL REFERENCES projects (id),
    action TEXT NOT NULL,
    target TEXT NOT NULL,
    path TEXT NOT NULL
);

-- Notices for the next page that is shown, then gone.
CREATE TABLE notices (id INTEGER PRIMARY KEY, text TEXT NOT NULL);
