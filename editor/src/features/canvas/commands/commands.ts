import type { TFunction } from 'i18next'
import {
  copySelected,
  duplicateSelected,
  groupSelected,
  insertNote,
  pasteText,
  removeSelected,
  resizeSelectedNotes,
  selectAll,
  selectedBoxes,
  selectedEdges,
  selectedNotes,
  ungroupSelected,
} from '@/document/actions'
import { alignSelected, arrangeNodes, distributeSelected } from '@/document/arrange-actions'
import type { Session } from '@/document/session'
import { exportAgent } from '@/lib/agents/agent-file'
import { toast, toastError } from '@/lib/toasts'
import type { Command } from './command'
import { nodeCommands } from './node-commands'
import { run } from './start-run'

type Words = TFunction<'canvas'>

/** All commands of the editor, for shortcuts, the command palette and the help. */
export function commandsOf(session: Session, t: Words): Command[] {
  const chosen = [...nodeCommands(session, t), ...selectionCommands(session, t)].map((command) => ({
    ...command,
    aims: true,
  }))
  return [...documentCommands(session, t), ...chosen, ...viewCommands(session, t)]
}

function documentCommands(session: Session, t: Words): Command[] {
  const { flow, saver, view } = session
  const hasNodes = () => session.document.nodes.length > 0
  return [
    { id: 'undo', label: t('toolbar.undo'), keys: 'mod+z', edits: true, run: () => flow.undo() },
    { id: 'redo', label: t('toolbar.redo'), keys: 'mod+shift+z', edits: true, run: () => flow.redo() },
    {
      id: 'save',
      label: t('toolbar.save'),
      keys: 'mod+s',
      always: true,
      edits: true,
      run: () => void saver.save({ keep: true }),
    },
    {
      id: 'run',
      label: t('toolbar.run'),
      keys: 'mod+enter',
      always: true,
      when: hasNodes,
      run: () => void run(session, t),
    },
    {
      id: 'publish',
      label: t('toolbar.publish'),
      edits: true,
      when: hasNodes,
      run: () => view.open('publish'),
    },
    { id: 'history', label: t('toolbar.history'), run: () => view.setState({ mode: 'history' }) },
    { id: 'export', label: t('menu.export'), run: () => void exportFile(session, t) },
    { id: 'agentInputs', label: t('agentInputs.title'), edits: true, run: () => view.open('agentInputs') },
    { id: 'templates', label: t('templates.title'), edits: true, run: () => view.open('templates') },
    { id: 'tidy', label: t('tools.tidy'), edits: true, run: () => void arrangeNodes(session) },
    { id: 'note', label: t('tools.note'), edits: true, run: () => insertNote(session) },
    { id: 'selectAll', label: t('menu.selectAll'), keys: 'mod+a', run: () => selectAll(session) },
  ]
}

function selectionCommands(session: Session, t: Words): Command[] {
  const { view } = session
  const some = () => session.view.getState().nodes.length > 0
  const any = () => some() || session.view.getState().edges.length > 0
  const several = () => selectedBoxes(session).length > 1
  const wired = () => selectedEdges(session).length > 0
  const edit = { edits: true, when: some }
  const arrange = { edits: true, when: several }
  return [
    { id: 'copy', label: t('menu.copy'), keys: 'mod+c', when: some, run: () => void copy(session) },
    { id: 'cut', label: t('menu.cut'), keys: 'mod+x', ...edit, run: () => void cut(session) },
    { id: 'paste', label: t('menu.paste'), edits: true, run: () => void paste(session, t) },
    {
      id: 'duplicate',
      label: t('menu.duplicate'),
      keys: 'mod+d',
      ...edit,
      run: () => duplicateSelected(session),
    },
    {
      id: 'delete',
      label: t('menu.delete'),
      keys: 'delete',
      edits: true,
      when: any,
      run: () => removeSelected(session),
    },
    { id: 'group', label: t('selection.group'), keys: 'mod+g', ...edit, run: () => groupSelected(session) },
    {
      id: 'ungroup',
      label: t('menu.ungroup'),
      keys: 'mod+shift+g',
      ...edit,
      run: () => ungroupSelected(session),
    },
    { id: 'alignLeft', label: t('selection.left'), ...arrange, run: () => alignSelected(session, 'left') },
    {
      id: 'alignCentre',
      label: t('selection.centre'),
      ...arrange,
      run: () => alignSelected(session, 'centre'),
    },
    { id: 'alignRight', label: t('selection.right'), ...arrange, run: () => alignSelected(session, 'right') },
    { id: 'alignTop', label: t('selection.top'), ...arrange, run: () => alignSelected(session, 'top') },
    {
      id: 'alignMiddle',
      label: t('selection.middle'),
      ...arrange,
      run: () => alignSelected(session, 'middle'),
    },
    {
      id: 'alignBottom',
      label: t('selection.bottom'),
      ...arrange,
      run: () => alignSelected(session, 'bottom'),
    },
    { id: 'insert', label: t('connect.insert'), edits: true, when: wired, run: () => view.open('insert') },
    ...noteCommands(session, t),
    {
      id: 'across',
      label: t('selection.horizontally'),
      ...arrange,
      run: () => distributeSelected(session, 'x'),
    },
    { id: 'down', label: t('selection.vertically'), ...arrange, run: () => distributeSelected(session, 'y') },
  ]
}

/** Amount by which a resize command changes a note: two move steps. */
const RESIZE_STEP = 22

function noteCommands(session: Session, t: Words): Command[] {
  const ways = [
    { way: 'wider', by: { width: RESIZE_STEP, height: 0 }, keys: 'alt+arrowright' },
    { way: 'narrower', by: { width: -RESIZE_STEP, height: 0 }, keys: 'alt+arrowleft' },
    { way: 'taller', by: { width: 0, height: RESIZE_STEP }, keys: 'alt+arrowdown' },
    { way: 'shorter', by: { width: 0, height: -RESIZE_STEP }, keys: 'alt+arrowup' },
  ] as const
  return ways.map(({ way, by, keys }) => ({
    id: way,
    label: t(`note.${way}`),
    keys,
    edits: true,
    when: () => selectedNotes(session).length > 0,
    run: () => resizeSelectedNotes(session, by),
  }))
}

function viewCommands(session: Session, t: Words): Command[] {
  const { view } = session
  return [
    {
      id: 'commands',
      label: t('commands.title'),
      keys: 'mod+k',
      always: true,
      aims: true,
      run: () => view.open('commands'),
    },
    { id: 'fit', label: t('tools.fit'), keys: 'shift+1', run: () => session.viewport?.fit() },
    { id: 'find', label: t('find.title'), keys: 'mod+f', run: () => view.open('find') },
    {
      id: 'fitSelection',
      label: t('tools.selection'),
      keys: 'shift+2',
      run: () => session.viewport?.fit(view.getState().nodes),
    },
    { id: 'zoomIn', label: t('tools.zoomIn'), keys: '+', run: () => session.viewport?.zoom('in') },
    { id: 'zoomOut', label: t('tools.zoomOut'), keys: '-', run: () => session.viewport?.zoom('out') },
    { id: 'actual', label: t('tools.actualSize'), keys: '0', run: () => session.viewport?.zoom(1) },
    {
      id: 'minimap',
      label: t('tools.minimap'),
      run: () => view.setState(({ minimap }) => ({ minimap: !minimap })),
    },
    { id: 'variables', label: t('variables.title'), keys: 'v', run: () => view.open('variables') },
    { id: 'problems', label: t('problems.title'), run: () => view.open('problems') },
    { id: 'runs', label: t('run.past'), run: () => view.open('runs') },
    { id: 'shortcuts', label: t('tools.shortcuts'), keys: '?', run: () => view.open('shortcuts') },
  ]
}

/** Downloads the draft as a file, after saving it. */
async function exportFile(session: Session, t: Words): Promise<void> {
  try {
    await session.saver.save()
    await exportAgent(session.flowId, session.document.name)
  } catch (error) {
    toastError(t('menu.exportFailed'), error)
  }
}

async function copy(session: Session): Promise<void> {
  const text = copySelected(session)
  if (text) await navigator.clipboard?.writeText(text)
}

async function cut(session: Session): Promise<void> {
  await copy(session)
  removeSelected(session)
}

async function paste(session: Session, t: Words): Promise<void> {
  try {
    const text = await navigator.clipboard.readText()
    if (!pasteText(session, text)) toast({ title: t('paste.nothing') })
  } catch {
    toast({ title: t('paste.failed') })
  }
}
