/**
 * Documents, revisions of nodes, and what generations hold, each row from when until when; what retention dropped. An entry of
 * `recordMigrations`. `jcs` is a function that the migration is given: version 2 kept nodes in the order of their keys.
 *
 * `journal` names each row that changed after it was written, and each that was dropped: with the highest numbers, which never come again,
 * it tells whoever follows the tables what is other than before. The content of a node, which calls and revisions share, goes with the last
 * row that names it: that is what the triggers are for.
 */
export const historyTables = `
  CREATE TABLE history(one INTEGER PRIMARY KEY CHECK(one = 1), id TEXT NOT NULL) STRICT;
  INSERT INTO history(one, id) VALUES (1, lower(hex(randomblob(4))));
  CREATE TABLE history_instance(instance TEXT PRIMARY KEY, base TEXT NOT NULL, program TEXT NOT NULL, documents TEXT) STRICT, WITHOUT ROWID;
  CREATE TABLE document(
    number INTEGER PRIMARY KEY AUTOINCREMENT, instance TEXT NOT NULL, path TEXT NOT NULL, sha256 TEXT NOT NULL, bytes INTEGER NOT NULL,
    signature TEXT NOT NULL, prior INTEGER, since TEXT NOT NULL, until TEXT, ending TEXT,
    git TEXT, git_reason TEXT, git_head TEXT, git_at TEXT, git_commit TEXT, git_commit_at TEXT,
    CHECK ((until IS NULL) = (ending IS NULL)), CHECK ((git IS NULL) = (git_at IS NULL))
  ) STRICT;
  CREATE UNIQUE INDEX document_current ON document(instance, path) WHERE until IS NULL;
  CREATE INDEX document_past ON document(until) WHERE until IS NOT NULL;
  CREATE INDEX document_unasked ON document(number) WHERE git IS NULL;
  CREATE INDEX document_uncommitted ON document(number) WHERE until IS NULL AND git_commit IS NULL AND git IN ('modified', 'untracked');
  CREATE TABLE node_revision(
    number INTEGER PRIMARY KEY AUTOINCREMENT, iri TEXT NOT NULL, id TEXT NOT NULL, digest TEXT NOT NULL, instance TEXT NOT NULL,
    path TEXT NOT NULL, document INTEGER NOT NULL, prior INTEGER, since TEXT NOT NULL, until TEXT, ending TEXT,
    CHECK ((until IS NULL) = (ending IS NULL))
  ) STRICT;
  CREATE UNIQUE INDEX node_revision_current ON node_revision(instance, path, iri) WHERE until IS NULL;
  CREATE INDEX node_revision_iri ON node_revision(iri, number);
  CREATE INDEX node_revision_document ON node_revision(document);
  CREATE INDEX node_revision_past ON node_revision(until) WHERE until IS NOT NULL;
  CREATE TABLE revision_document(revision INTEGER NOT NULL, document INTEGER NOT NULL, PRIMARY KEY(revision, document)) STRICT, WITHOUT ROWID;
  CREATE INDEX revision_document_document ON revision_document(document);
  CREATE TABLE projection(number INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, first INTEGER NOT NULL) STRICT;
  CREATE TABLE part(
    number INTEGER PRIMARY KEY AUTOINCREMENT, projection INTEGER NOT NULL, kind TEXT NOT NULL, identity TEXT NOT NULL,
    iri TEXT, name TEXT, instance TEXT, document TEXT, pointer TEXT, definition TEXT, revision INTEGER, severity TEXT, code TEXT, reason TEXT,
    since INTEGER NOT NULL, until INTEGER, ended TEXT, CHECK ((until IS NULL) = (ended IS NULL))
  ) STRICT;
  CREATE UNIQUE INDEX part_current ON part(projection, kind, identity) WHERE until IS NULL;
  CREATE INDEX part_since ON part(projection, since);
  CREATE INDEX part_until ON part(projection, until) WHERE until IS NOT NULL;
  CREATE INDEX part_past ON part(ended) WHERE ended IS NOT NULL;
  CREATE INDEX part_revision ON part(revision);
  CREATE TABLE journal(seq INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, name TEXT NOT NULL) STRICT;
  CREATE TABLE history_dropped(kind TEXT PRIMARY KEY, count INTEGER NOT NULL, newest TEXT NOT NULL, at TEXT NOT NULL) STRICT, WITHOUT ROWID;
  ALTER TABLE invocation ADD COLUMN node_revision INTEGER;
  CREATE INDEX invocation_node_revision ON invocation(node_revision);
  CREATE INDEX invocation_revision ON invocation(iri, revision);
  CREATE INDEX invocation_generation ON invocation(generation_key, generation);
  CREATE TRIGGER revision_gone AFTER DELETE ON node_revision BEGIN
    DELETE FROM revision_document WHERE revision = old.number;
    DELETE FROM revision WHERE iri = old.iri AND digest = old.digest
      AND NOT EXISTS (SELECT 1 FROM node_revision WHERE iri = old.iri AND digest = old.digest)
      AND NOT EXISTS (SELECT 1 FROM invocation WHERE iri = old.iri AND revision = old.digest);
  END;
  CREATE TRIGGER invocation_gone AFTER DELETE ON invocation WHEN old.revision IS NOT NULL BEGIN
    DELETE FROM revision WHERE iri = old.iri AND digest = old.revision
      AND NOT EXISTS (SELECT 1 FROM node_revision WHERE iri = old.iri AND digest = old.revision)
      AND NOT EXISTS (SELECT 1 FROM invocation WHERE iri = old.iri AND revision = old.revision);
  END;
  UPDATE revision SET node = jcs(node);`;
