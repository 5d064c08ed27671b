import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { usePreload } from '@/components/lazy-part'
import { continueComparison } from '@/document/comparison'
import { isPaletteFolded } from '@/document/folded-palette'
import { continueLaunch } from '@/document/run-actions'
import { restoreUndoSteps } from '@/document/undo-history'
import { toastWithUndo } from '@/document/undo-toast'
import { useDocument, useSession, useView } from '@/document/use-session'
import type { ViewState } from '@/document/view-store'
import {
  Canvas,
  CanvasTools,
  CommandPalette,
  CompareDialog,
  ComparisonEnded,
  EditAnnouncer,
  LaunchErrorDialog,
  ProblemsDialog,
  ProblemsPanel,
  PublishDialog,
  RunAnnouncer,
  RunDock,
  RunsDialog,
  SaveState,
  SelectionBar,
  Shortcuts,
  TopBar,
  VariablesDialog,
  VariablesPanel,
  WithheldNotice,
} from '@/features/canvas'
import { ConflictDialog, HistoryPage, loadHistory } from '@/features/history'
import { Inspector, InspectorDrawer, InspectorRail } from '@/features/inspector'
import { PaletteDock, PaletteDrawer, PalettePopover } from '@/features/palette'
import type { FlowDetail } from '@/lib/api/flows'
import { useContinuedRequests } from '@/lib/api/use-continued-requests'
import { useNarrower, useParts, WIDTHS } from '@/lib/browser-hooks'
import { useContinuedLaunch } from '@/lib/launch/use-continued-launch'
import { toastError } from '@/lib/toasts'
import { AccountMenu } from '../layouts/account-menu'
import { useFocusRestore } from '../use-focus-restore'
import { useAgentPorts } from './use-agents'
import { useOpenComparison } from './use-open-comparison'
import { useOpenInside } from './use-open-inside'
import { useOpenRun } from './use-open-run'
import { useStoredComparison } from './use-stored-comparison'

/** The editor: the canvas fills the page, everything else floats over it. */
export function EditorLayout({ flow }: { flow: FlowDetail }) {
  const mode = useView((view) => view.mode)
  const session = useSession()
  useOpenRun(flow.id)
  useOpenComparison()
  useStoredComparison()
  useContinuedLaunch((run) => void session.runner.open(run.id))
  useContinuedRequests()
  useRecovered()
  useAgentPorts()
  const outer = useOpenInside()
  useFocusRestore()
  useModeFocus(mode)
  usePreload(loadHistory)
  const part = useParts(PARTS.overlays)
  if (mode === 'history') return <HistoryPage name={flow.name} live={flow.version} />
  return (
    <div className="fixed inset-0 overflow-hidden bg-paper">
      <main className="absolute inset-0">
        {part >= PARTS.canvas && <Canvas />}
        {part >= PARTS.panels ? <Panels /> : <PanelPlaceholders />}
        <PalettePopover />
      </main>
      {part >= PARTS.bar ? <Bar flow={flow} outer={outer} /> : <BarPlaceholder />}
      {part >= PARTS.overlays && <Overlays version={flow.version} />}
    </div>
  )
}

/** The parts of the page in the order in which they are first rendered: what floats over the canvas comes after it. */
const PARTS = { canvas: 1, panels: 2, bar: 3, overlays: 4 } as const

function Bar({ flow, outer }: { flow: FlowDetail; outer: ReturnType<typeof useOpenInside> }) {
  return (
    <>
      <TopBar
        status={flow.status}
        withheld={flow.withheld}
        name={flow.name}
        published={
          flow.version === null
            ? null
            : { version: flow.version, revision: flow.revision, isAhead: flow.unpublished_changes }
        }
        own={flow.permissions.edit}
        outer={outer}
        account={<AccountMenu />}
      />
      {flow.withheld && <WithheldNotice reason={flow.withheld_reason} />}
    </>
  )
}

/** What opens over the page. */
function Overlays({ version }: { version: number | null }) {
  return (
    <>
      <CommandPalette />
      <Shortcuts />
      <ProblemsDialog />
      <VariablesDialog />
      <RunsDialog />
      <PublishDialog version={version} />
      <CompareDialog />
      <ComparisonEnded />
      <LaunchErrorDialog />
      <ConflictDialog />
      <RunAnnouncer />
      <EditAnnouncer />
    </>
  )
}

/** Where the panels will be. */
export function PanelPlaceholders() {
  const panel =
    'absolute top-[78px] bottom-4 animate-breathe rounded-l border border-hairline bg-surface max-lg:hidden'
  return (
    <>
      {!isPaletteFolded() && <div className={`${panel} left-4 w-[232px]`} />}
      <div className={`${panel} right-4 w-[312px]`} />
    </>
  )
}

export function BarPlaceholder() {
  return (
    <div className="absolute top-3.5 left-4 h-12 w-80 animate-breathe rounded-pill border border-hairline bg-surface" />
  )
}

function Panels() {
  const session = useSession()
  const narrow = useNarrower(WIDTHS.desk)
  const tight = useNarrower(WIDTHS.wide)
  const chosen = useView((view) => (view.nodes.length === 1 ? view.nodes[0] : undefined))
  const inspected = useDocument((flow) => flow.nodes.some(({ id }) => id === chosen))
  const panel = useView(({ dialog }) => (dialog === 'problems' || dialog === 'variables' ? dialog : null))
  const isFolded = useView((view) => view.isPaletteFolded)
  if (narrow) return <Drawers />
  const inspector = inspected || !tight || !session.canEdit || panel
  const isRail = session.canEdit && !inspected && !panel
  const columns = [
    ...(session.canEdit ? [isFolded ? 'auto' : '232px'] : []),
    'minmax(0, 1fr)',
    ...(inspector ? [isRail ? 'auto' : '312px'] : []),
  ]
  return (
    <div
      className="pointer-events-none absolute inset-x-4 top-[78px] bottom-4 z-10 grid gap-4"
      style={{ gridTemplateColumns: columns.join(' ') }}
    >
      {session.canEdit && (
        <div className="grid min-h-0">
          <PaletteDock />
        </div>
      )}
      <div className="flex min-h-0 flex-col justify-between gap-4">
        <div className="flex flex-wrap items-center gap-3 pt-1.5">
          <CanvasTools />
          <SelectionBar />
        </div>
        <RunDock />
      </div>
      {inspector && (
        <div className="grid min-h-0">
          <SidePanel panel={panel} isRail={isRail} />
        </div>
      )}
    </div>
  )
}

type SidePanelProps = { panel: 'problems' | 'variables' | null; isRail: boolean }

function SidePanel({ panel, isRail }: SidePanelProps) {
  if (panel === 'problems') return <ProblemsPanel />
  if (panel === 'variables') return <VariablesPanel />
  return isRail ? <InspectorRail /> : <Inspector />
}

/** On narrow screens the panels are folded at the bottom. */
function Drawers() {
  const session = useSession()
  return (
    <div className="pointer-events-none absolute inset-x-4 top-[74px] bottom-4 z-10 flex flex-col justify-between gap-3 max-md:inset-x-3 max-md:bottom-3">
      <div className="flex flex-wrap items-center gap-3">
        <CanvasTools />
        <SaveState />
        <SelectionBar />
      </div>
      <div className="flex min-h-0 flex-col gap-3">
        {session.canEdit && <PaletteDrawer />}
        <RunDock />
        <InspectorDrawer />
      </div>
    </div>
  )
}

/** Restores work that never reached the server, which can be undone, and continues an interrupted launch. */
function useRecovered() {
  const { t } = useTranslation('canvas')
  const session = useSession()
  useEffect(() => {
    const tell = () =>
      toastWithUndo(session, {
        title: t('save.recovered'),
        description: t('save.recoveredText'),
        duration: 15_000,
      })
    void session.recover().then((found) => {
      if (found) tell()
      restoreUndoSteps(session.flowId, session.flow)
      return Promise.all([continueLaunch(session), continueComparison(session)]).catch((error: unknown) =>
        toastError(t('run.failedToStart'), error),
      )
    })
  }, [session, t])
}

/** Moves the focus when the page comes back from the history: to the selected card, else to what opened the history. */
export function useModeFocus(mode: ViewState['mode']) {
  const session = useSession()
  const was = useRef(mode)
  useEffect(() => {
    if (was.current === mode) return
    was.current = mode
    const [card] = session.view.getState().nodes
    if (mode === 'edit' && card) session.viewport?.focusNode(card)
    else if (mode === 'edit') document.querySelector<HTMLElement>('[data-history]')?.focus()
  }, [mode, session])
}
