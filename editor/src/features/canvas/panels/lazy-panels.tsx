import { type ComponentType, useEffect, useRef } from 'react'
import { type LazyPart, lazyPart } from '@/components/lazy-part'
import { useChecks, useSession, useView } from '@/document/use-session'
import type { DialogName } from '@/document/view-store'

/** The code of all panels here, which few visits need in the first seconds. */
const loadPanels = () => import('./panels-on-demand')

/** A dialog whose code loads when it first opens. It stays mounted, so that it can close. */
function onceOpen<Props extends object>(name: DialogName, Part: LazyPart<Props>): ComponentType<Props> {
  return function OnceOpen(props: Props) {
    const isOpen = useView((view) => view.dialog === name)
    const wasOpen = useRef(false)
    if (isOpen) wasOpen.current = true
    return wasOpen.current ? <Part {...props} /> : null
  }
}

const parts = {
  ContextMenu: lazyPart(async () => (await loadPanels()).ContextMenu),
  CommandPalette: lazyPart(async () => (await loadPanels()).CommandPalette),
  Shortcuts: lazyPart(async () => (await loadPanels()).Shortcuts),
  RunsDialog: lazyPart(async () => (await loadPanels()).RunsDialog),
  ProblemsPanel: lazyPart(async () => (await loadPanels()).ProblemsPanel),
  ProblemsDialog: lazyPart(async () => (await loadPanels()).ProblemsDialog),
  PublishDialog: lazyPart(async () => (await loadPanels()).PublishDialog),
  VariablesPanel: lazyPart(async () => (await loadPanels()).VariablesPanel),
  VariablesDialog: lazyPart(async () => (await loadPanels()).VariablesDialog),
  ConnectDialog: lazyPart(async () => (await loadPanels()).ConnectDialog),
  InsertDialog: lazyPart(async () => (await loadPanels()).InsertDialog),
  FindDialog: lazyPart(async () => (await loadPanels()).FindDialog),
  SwapDialog: lazyPart(async () => (await loadPanels()).SwapDialog),
  AgentDialog: lazyPart(async () => (await loadPanels()).AgentDialog),
  AgentInputsDialog: lazyPart(async () => (await loadPanels()).AgentInputsDialog),
  AgentUpdateDialog: lazyPart(async () => (await loadPanels()).AgentUpdateDialog),
  TemplateDialog: lazyPart(async () => (await loadPanels()).TemplateDialog),
  FirstTemplates: lazyPart(async () => (await loadPanels()).FirstTemplates),
  RunTimeline: lazyPart(async () => (await loadPanels()).RunTimeline),
}

/** Loads the code of all panels, which then open at once, also without a connection. */
export const preloadPanels = () => Promise.all(Object.values(parts).map(({ preload }) => preload()))

export const { ProblemsPanel, VariablesPanel, ContextMenu, FirstTemplates, RunTimeline } = parts
export const CommandPalette = onceOpen('commands', parts.CommandPalette)
export const Shortcuts = onceOpen('shortcuts', parts.Shortcuts)
export const RunsDialog = onceOpen('runs', parts.RunsDialog)
export const PublishDialog = onceOpen('publish', parts.PublishDialog)
export const ConnectDialog = onceOpen('connect', parts.ConnectDialog)
export const InsertDialog = onceOpen('insert', parts.InsertDialog)
export const FindDialog = onceOpen('find', parts.FindDialog)
export const SwapDialog = onceOpen('swap', parts.SwapDialog)
export const AgentDialog = onceOpen('agent', parts.AgentDialog)
export const AgentInputsDialog = onceOpen('agentInputs', parts.AgentInputsDialog)
export const AgentUpdateDialog = onceOpen('agentUpdate', parts.AgentUpdateDialog)
export const TemplateDialog = onceOpen('templates', parts.TemplateDialog)

/** Unmounted when it closes, so that it has no state from its last use when it opens. */
export function VariablesDialog() {
  const isOpen = useView((view) => view.dialog === 'variables')
  return isOpen ? <parts.VariablesDialog /> : null
}

const ProblemsOnceOpen = onceOpen('problems', parts.ProblemsDialog)

export function ProblemsDialog() {
  useRecheckOnReturn()
  return <ProblemsOnceOpen />
}

/** Problems that are mended on another page: they are checked again when the user comes back. */
const MENDED_ELSEWHERE = new Set(['missing_credential', 'caption_model_missing'])

/** A key is added in another tab: checks again when the user comes back. */
function useRecheckOnReturn() {
  const { checker } = useSession()
  const isMendedElsewhere = useChecks(({ problems }) =>
    problems.some(({ code }) => MENDED_ELSEWHERE.has(code)),
  )
  useEffect(() => {
    if (!isMendedElsewhere) return
    const again = () => void checker.recheck()
    window.addEventListener('focus', again)
    return () => window.removeEventListener('focus', again)
  }, [isMendedElsewhere, checker])
}
