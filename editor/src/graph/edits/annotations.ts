import {
  type Annotations,
  type FlowDocument,
  freshId,
  type Group,
  groupsOf,
  type Note,
  notesOf,
  type Point,
  type Size,
} from '../document'

export const NOTE_SIZE: Size = { width: 220, height: 120 }
/** Below this size, a note cannot show its text. */
export const MIN_NOTE_SIZE: Size = { width: 140, height: 72 }

/** Edits of notes and groups. They change the canvas and never the run. */
export function addNote(
  document: FlowDocument,
  position: Point,
  text = '',
): { document: FlowDocument; id: string } {
  const id = freshId('note', new Set(notesOf(document).map((note) => note.id)))
  const point = { x: Math.round(position.x), y: Math.round(position.y) }
  const note: Note = { id, text, position: point, size: NOTE_SIZE, pigment: 'ochre' }
  return { document: withAnnotations(document, { notes: [...notesOf(document), note] }), id }
}

export function changeNote(
  document: FlowDocument,
  id: string,
  change: Partial<Omit<Note, 'id'>>,
): FlowDocument {
  const notes = notesOf(document).map((note) => (note.id === id ? { ...note, ...change } : note))
  return withAnnotations(document, { notes })
}

/** Changes the size of notes by these amounts, down to the smallest size of a note. */
export function resizeNotes(document: FlowDocument, ids: ReadonlySet<string>, by: Size): FlowDocument {
  const notes = notesOf(document).map((note) => (ids.has(note.id) ? resized(note, by) : note))
  const same = notes.every((note, at) => note === notesOf(document)[at])
  return same ? document : withAnnotations(document, { notes })
}

function resized(note: Note, by: Size): Note {
  const width = Math.max(MIN_NOTE_SIZE.width, note.size.width + by.width)
  const height = Math.max(MIN_NOTE_SIZE.height, note.size.height + by.height)
  const still = width === note.size.width && height === note.size.height
  return still ? note : { ...note, size: { width, height } }
}

export function removeNotes(document: FlowDocument, ids: ReadonlySet<string>): FlowDocument {
  const notes = notesOf(document).filter((note) => !ids.has(note.id))
  return notes.length === notesOf(document).length ? document : withAnnotations(document, { notes })
}

/** Groups nodes. A node is in at most one group, so it is removed from its previous one. */
export function groupNodes(
  document: FlowDocument,
  members: readonly string[],
  title = 'Group',
): { document: FlowDocument; id: string } {
  const those = new Set(members)
  const without = removeFromGroups(document, those)
  const id = freshId('group', new Set(groupsOf(document).map((group) => group.id)))
  const group: Group = { id, title, members: [...those], pigment: 'slate' }
  return { document: withAnnotations(without, { groups: [...groupsOf(without), group] }), id }
}

export function changeGroup(
  document: FlowDocument,
  id: string,
  change: Partial<Omit<Group, 'id'>>,
): FlowDocument {
  const groups = groupsOf(document).map((group) => (group.id === id ? { ...group, ...change } : group))
  return withAnnotations(document, { groups })
}

/** Removes groups and keeps their nodes. */
export function ungroup(document: FlowDocument, ids: ReadonlySet<string>): FlowDocument {
  const groups = groupsOf(document).filter((group) => !ids.has(group.id))
  return groups.length === groupsOf(document).length ? document : withAnnotations(document, { groups })
}

/** Removes nodes from their groups; an empty group is removed too. */
export function removeFromGroups(document: FlowDocument, ids: ReadonlySet<string>): FlowDocument {
  const groups = groupsOf(document)
  if (!groups.some((group) => group.members.some((member) => ids.has(member)))) return document
  const left = groups
    .map((group) => ({ ...group, members: group.members.filter((member) => !ids.has(member)) }))
    .filter((group) => group.members.length > 0)
  return withAnnotations(document, { groups: left })
}

function withAnnotations(document: FlowDocument, change: Annotations): FlowDocument {
  return { ...document, canvas: { ...document.canvas, ...change } }
}
