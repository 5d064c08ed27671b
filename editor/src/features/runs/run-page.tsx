import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { LaunchErrorDialog } from '@/components/launch/launch-error'
import { LazyMaskedEdit } from '@/components/mask/lazy-masked-edit'
import { PageError } from '@/components/page-error'
import { EmptyState, Skeleton } from '@/components/surfaces'
import type { Run } from '@/lib/api/runs'
import { useNow, useTitle } from '@/lib/browser-hooks'
import { isOver } from '@/lib/run/types'
import { type LiveRun, useLiveRun } from '@/lib/run/use-live-run'
import { CompareDialog } from './compare-dialog'
import { DraftsNote } from './drafts-note'
import { Gallery } from './gallery'
import { promptOf } from './model/run-prompt'
import type { Tile } from './model/tiles'
import { PromptCard } from './prompt-card'
import { RelaunchBar } from './relaunch-bar'
import { RunHeader } from './run-header'
import { RunAnnouncer, RunNotices } from './run-notices'
import { TileProvenance } from './tile-provenance'
import { useRunActions } from './use-run-actions'
import { useTiles } from './use-tiles'
import { Viewer } from './viewer'

type RunPageProps = {
  runId: string
  /** Whether to open with the inputs of the run, to launch it again. */
  relaunch: boolean
}

/** One run with its live results, at its own address. */
export function RunPage({ runId, relaunch }: RunPageProps) {
  const live = useLiveRun(runId)
  const { t } = useTranslation('runs')
  useTitle(live.run?.flow_name ?? t('results'))
  if (live.run) return <Loaded live={live} run={live.run} opening={relaunch ? 'edit' : null} />
  return (
    <div className="mx-auto max-w-295 px-4 pt-6 sm:px-6">
      {live.error ? (
        <PageError
          error={live.error}
          missing={{ title: t('missing'), help: t('missingHelp'), to: '/runs', link: t('missingLink') }}
          onRetry={live.retry}
        />
      ) : (
        <Waiting />
      )}
    </div>
  )
}

function Waiting() {
  return (
    <div aria-busy>
      <Skeleton className="mb-4 h-9 w-64" />
      <Skeleton className="h-18 rounded-l" />
      <div className="mt-4.5 grid grid-cols-2 gap-3.5 md:grid-cols-4">
        <Skeleton className="col-span-2 row-span-2 h-106 rounded-[16px]" />
        <Skeleton className="h-51.5 rounded-[16px]" />
        <Skeleton className="h-51.5 rounded-[16px]" />
      </div>
    </div>
  )
}

type LoadedProps = { live: LiveRun; run: Run; opening: 'edit' | null }

function Loaded({ live, run, opening }: LoadedProps) {
  const { t } = useTranslation('runs')
  const { state, stream } = live
  const over = isOver(state.status)
  const now = useNow(!over)
  const elapsed = over ? (state.seconds ?? 0) : state.startedAt === null ? 0 : now / 1000 - state.startedAt
  const { tiles, ready, find, assetOf, titleOf } = useTiles(run, state)
  const [relaunching, setRelaunching] = useState<'edit' | 'customize' | null>(opening)
  const [viewed, setViewed] = useState<string | null>(null)
  const actions = useRunActions({
    run,
    steps: state.steps,
    find,
    titleOf,
    onView: (tile) => setViewed(tile.key),
  })
  const asked = promptOf(run)
  const flowId = run.flow_id
  return (
    <div className="mx-auto max-w-295 px-4 pt-2 pb-16 sm:px-6 sm:pt-4 xl:px-0">
      <RunHeader
        name={run.flow_name}
        state={state}
        elapsed={elapsed}
        stopping={actions.stopping}
        packed={actions.packed}
        ready={ready.length}
        quiet={relaunching !== null}
        onCustomize={flowId && !relaunching ? () => setRelaunching('customize') : null}
        onStop={actions.stop}
        onDownload={() => void actions.downloadAll(ready)}
      />
      {relaunching && flowId ? (
        <RelaunchBar
          key={relaunching}
          run={run}
          flowId={flowId}
          customizing={relaunching === 'customize'}
          onClose={() => setRelaunching(null)}
        />
      ) : (
        <PromptCard
          prompt={asked.prompt}
          images={asked.images.map(find)}
          onEdit={flowId ? () => setRelaunching('edit') : null}
        />
      )}
      <RunNotices
        state={state}
        stream={stream}
        queuePosition={run.queue_position}
        resuming={actions.resuming}
        onResume={over && run.can_resume ? actions.resume : null}
      />
      <DraftsNote state={state} />
      {tiles.length === 0 && state.status === 'finished' ? (
        <EmptyState className="mt-4.5" title={t('nothing')}>
          {t('nothingHelp')}
        </EmptyState>
      ) : (
        <Gallery
          tiles={tiles}
          find={find}
          actions={actions.tile}
          elapsed={elapsed}
          picked={actions.picked.map(keyOf)}
        />
      )}
      {actions.picked.length === 1 && <ComparePrompt onCancel={actions.clearPicked} />}
      <CompareDialog
        pair={actions.picked}
        assetOf={assetOf}
        titleOf={titleOf}
        onClose={actions.clearPicked}
      />
      <Viewer
        tiles={ready}
        current={viewed}
        onMove={setViewed}
        assetOf={assetOf}
        titleOf={titleOf}
        onDownload={actions.tile.download}
        provenance={(tile) => (
          <TileProvenance
            run={run}
            step={state.steps[tile.step]}
            asset={assetOf(tile)}
            images={asked.images.flatMap((id) => find(id) ?? [])}
          />
        )}
      />
      <MaskedEditOf imageId={actions.masked} onClose={actions.clearMasked} />
      <LaunchErrorDialog error={actions.rerunError} name={run.flow_name} onClose={actions.clearRerunError} />
      <RunAnnouncer name={run.flow_name} status={state.status} ready={ready.length} of={tiles.length} />
    </div>
  )
}

function MaskedEditOf({ imageId, onClose }: { imageId: string | null; onClose: () => void }) {
  return imageId && <LazyMaskedEdit imageId={imageId} onClose={onClose} />
}

const keyOf = (tile: Tile) => tile.key

function ComparePrompt({ onCancel }: { onCancel: () => void }) {
  const { t } = useTranslation(['runs', 'common'])
  return (
    <div
      role="status"
      className="-translate-x-1/2 fixed bottom-5 left-1/2 z-30 flex animate-appear items-center gap-3 rounded-pill border border-hairline bg-surface py-1.5 pr-1.5 pl-4 shadow-float"
    >
      {t('comparePickOne')}
      <Button size="sm" variant="ghost" onClick={onCancel}>
        {t('common:cancel')}
      </Button>
    </div>
  )
}
