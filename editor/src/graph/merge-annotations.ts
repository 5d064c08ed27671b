import { byId, type Difference, difference, isEqual, part, partKey, type Side, type Sides } from './diff'
import { type FlowDocument, freshId, type Group, groupsOf, type Note, notesOf } from './document'

/** The chosen sides, by the key of a difference or of one of its parts. */
export type Choices = ReadonlyMap<string, Side>

/** Merges key by key: the chosen side, else the side that changed the key, mine if both did. */
export function mergeRecords(
  start: object | undefined,
  mine: object,
  theirs: object,
  choose: (key: string) => Side | undefined,
): Record<string, unknown> {
  const [base, left, right] = [start ?? {}, mine, theirs] as Record<string, unknown>[] as [
    Record<string, unknown>,
    Record<string, unknown>,
    Record<string, unknown>,
  ]
  const names = [...new Set([...Object.keys(right), ...Object.keys(left)])]
  const entries = names.map((name) => {
    const side = choose(name) ?? (isEqual(base[name], left[name]) ? 'theirs' : 'mine')
    return [name, side === 'mine' ? left[name] : right[name]] as const
  })
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

/** Every note and group that differs between the two sides; the position of notes is ignored. */
export function annotationDifferences(sides: Sides): Difference[] {
  const notes = joinThreeWays(sides, notesOf, ({ id, three }) => {
    const key = `note:${id}`
    const texts = three.map((note) => note?.text) as unknown as Three<string>
    return difference(
      { kind: 'note', id, key },
      three,
      whereBoth(three, part(partKey(key, 'text'), 'text', 'text', texts)),
    )
  })
  const seen = inSightOfBoth(sides)
  const groups = joinThreeWays(
    sides,
    (document) => groupsOf(document).map(seen),
    ({ id, three }) => {
      const key = `group:${id}`
      if (three.every((group) => !group || group.members.length === 0)) return []
      const parts = (['title', 'members'] as const).flatMap((name) =>
        part(
          partKey(key, name),
          name,
          name,
          three.map((group) => group?.[name]) as unknown as Three<unknown>,
        ),
      )
      return difference({ kind: 'group', id, key }, three, whereBoth(three, parts))
    },
  )
  return [...notes, ...groups]
}

type Three<Thing> = readonly [Thing | undefined, Thing | undefined, Thing | undefined]
type Piece = { readonly id: string }

function joinThreeWays<Kind extends Piece, Found>(
  { start, mine, theirs }: Sides,
  list: (document: FlowDocument) => readonly Kind[],
  compare: (one: { id: string; three: Three<Kind> }) => Found[],
): Found[] {
  const [base, left, right] = [start, mine, theirs].map((document) => byId(list(document)))
  return [...new Set([...(right?.keys() ?? []), ...(left?.keys() ?? [])])].flatMap((id) =>
    compare({ id, three: [base?.get(id), left?.get(id), right?.get(id)] }),
  )
}

function whereBoth<Kind, Found>([, mine, theirs]: Three<Kind>, found: Found[]): Found[] {
  return mine && theirs ? found : []
}

/** Removes nodes that one side removed from a group: they are reported as nodes, not again with their group. */
function inSightOfBoth(sides: Sides): (group: Group) => Group {
  const removedIds = removedNodes(sides)
  return (group) => ({ ...group, members: group.members.filter((member) => !removedIds.has(member)) })
}

function removedNodes({ start, mine, theirs }: Sides): ReadonlySet<string> {
  const [left, right] = [byId(mine.nodes), byId(theirs.nodes)]
  return new Set(start.nodes.map(({ id }) => id).filter((id) => !(left.has(id) && right.has(id))))
}

/** Merges notes and groups: the chosen side, else additions and changes of both and unopposed removals. */
export function mergeAnnotations(
  sides: Sides,
  keptIds: ReadonlySet<string>,
  choices: Choices,
): Pick<FlowDocument, 'canvas'> {
  const { mine, theirs } = sides
  if (!mine.canvas && !theirs.canvas) return {}
  const suggested = new Map(annotationDifferences(sides).map((one) => [one.key, one.suggested]))
  const join = <Kind extends Piece>(list: (document: FlowDocument) => readonly Kind[], kind: string) =>
    joinThreeWays(sides, list, ({ id, three }) => mergedItem(`${kind}:${id}`, three, suggested, choices))
  const groups = join<Group>(groupsOf, 'group')
    .map((group) => ({ ...group, members: membersOf(group, sides).filter((member) => keptIds.has(member)) }))
    .filter((group) => group.members.length > 0)
  return { canvas: { ...theirs.canvas, ...mine.canvas, notes: join<Note>(notesOf, 'note'), groups } }
}

function mergedItem<Kind extends Piece>(
  key: string,
  [before, mine, theirs]: Three<Kind>,
  suggested: Choices,
  choices: Choices,
): Kind[] {
  if (mine && theirs) {
    const choose = (name: string) => choices.get(partKey(key, name)) ?? choices.get(key)
    return [mergeRecords(before, mine, theirs, choose) as unknown as Kind]
  }
  // A group that became empty through removed nodes has no choice of its own: it follows its nodes.
  const side = choices.get(key) ?? suggested.get(key) ?? (mine ? 'mine' : 'theirs')
  const left = side === 'mine' ? mine : theirs
  return left ? [left] : []
}

/** The members, plus those that one side removed: they rejoin the group if the merge keeps them. */
function membersOf(group: Group, sides: Sides): string[] {
  const gone = removedNodes(sides)
  const before = groupsOf(sides.start).find(({ id }) => id === group.id)?.members ?? []
  return [...new Set([...group.members, ...before.filter((member) => gone.has(member))])]
}

/** Gives my new notes and groups new ids where the other side has added a different one with the same id. */
export function renameClashingAnnotations(
  start: FlowDocument,
  mine: FlowDocument,
  theirs: FlowDocument,
): FlowDocument {
  if (!mine.canvas) return mine
  const notes = named(notesOf(start), notesOf(mine), notesOf(theirs))
  const groups = named(groupsOf(start), groupsOf(mine), groupsOf(theirs))
  if (notes === notesOf(mine) && groups === groupsOf(mine)) return mine
  return { ...mine, canvas: { ...mine.canvas, notes, groups } }
}

function named<Kind extends Piece>(
  start: readonly Kind[],
  mine: readonly Kind[],
  theirs: readonly Kind[],
): readonly Kind[] {
  const [base, other] = [byId(start), byId(theirs)]
  const taken = new Set([...base.keys(), ...other.keys(), ...mine.map(({ id }) => id)])
  const clashes = (piece: Kind) => {
    const sameId = other.get(piece.id)
    return !base.has(piece.id) && sameId !== undefined && !isEqual(piece, sameId)
  }
  if (!mine.some(clashes)) return mine
  return mine.map((piece) => {
    if (!clashes(piece)) return piece
    const id = freshId(piece.id, taken)
    taken.add(id)
    return { ...piece, id }
  })
}
