import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { generativeTypes, nodesQuery } from '@/lib/api/nodes'
import { cancelRun, type Run, resumeRun } from '@/lib/api/runs'
import { reportCopy } from '@/lib/clipboard'
import { startPendingLaunch } from '@/lib/launch/pending-launches'
import type { RunState } from '@/lib/run/types'
import { toastError } from '@/lib/toasts'
import { copyTile, downloadAll, downloadTile, type FindAsset } from './downloads'
import type { FlowDocument } from './model/expected-results'
import { stepsToRerun } from './model/rerun'
import type { Tile } from './model/tiles'
import type { TileActionHandlers } from './tile-actions'
import { stepsOf } from './use-kept-tiles'

type RunActionsOptions = {
  run: Run
  steps: RunState['steps']
  find: FindAsset
  titleOf: (tile: Tile) => string
  onView: (tile: Tile) => void
}

/** The actions of the results page. */
export function useRunActions({ run, steps, find, titleOf, onView }: RunActionsOptions) {
  const { t } = useTranslation('runs')
  const [picked, setPicked] = useState<Tile[]>([])
  const [masked, setMasked] = useState<string | null>(null)
  const stopping = useMutation({
    mutationFn: () => cancelRun(run.id),
    onError: (error) => toastError(t('stopFailed'), error),
  })
  const resuming = useMutation({
    mutationFn: () => resumeRun(run.id),
    // Retrying restarts the run, so it can be stopped again.
    onSuccess: stopping.reset,
    onError: (error) => toastError(t('resumeFailed'), error),
  })
  const rerun = useRerun(run, steps)
  const zipDownload = useZipDownload(run, find)

  const pick = (one: Tile) =>
    setPicked((known) => [...known.filter(({ key }) => key !== one.key), one].slice(-2))
  const tile: TileActionHandlers = {
    titleOf,
    // The page asks for the second result of a comparison: it is picked, not opened.
    view: (one) => (picked.length === 1 ? pick(one) : onView(one)),
    // Only once, since the new results page may take time to open.
    rerun: run.flow_id ? (one) => rerun.isPending || rerun.isSuccess || rerun.mutate(one) : null,
    compare: pick,
    mask: (one) => setMasked(one.media?.asset_id ?? null),
    download: (one) =>
      void downloadTile(one, find).catch(() => toastError(t('downloadFailed', { title: titleOf(one) }))),
    copy: (one) => void reportCopy(() => copyTile(one, find)),
  }

  return {
    tile,
    picked,
    clearPicked: () => setPicked([]),
    /** The image on which a mask is painted. */
    masked,
    clearMasked: () => setMasked(null),
    stop: () => stopping.mutate(),
    stopping: stopping.isPending || stopping.isSuccess,
    resume: () => resuming.mutate(),
    resuming: resuming.isPending,
    rerunError: rerun.error,
    clearRerunError: rerun.reset,
    ...zipDownload,
  }
}

/** Launches the same inputs, regenerating only the steps behind this tile. */
function useRerun(run: Run, steps: RunState['steps']) {
  const navigate = useNavigate()
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (tile: Tile) => {
      const catalog = await client.ensureQueryData(nodesQuery())
      return startPendingLaunch(run.flow_id ?? '', {
        inputs: run.inputs,
        version: run.version,
        fresh: stepsToRerun(run.flow as FlowDocument, tile, stepsOf(steps, generativeTypes(catalog))),
        reuse: 'changed',
        again_of: run.id,
      })
    },
    onSuccess: (started) => void navigate({ to: '/run/$runId', params: { runId: started.id } }),
  })
}

function useZipDownload(run: Run, find: FindAsset) {
  const { t } = useTranslation('runs')
  const [zipped, setZipped] = useState<number | null>(null)
  async function all(tiles: readonly Tile[]) {
    setZipped(0)
    try {
      await downloadAll(tiles, { name: `${run.flow_name} ${run.number}`, find, onProgress: setZipped })
    } catch {
      toastError(t('downloadFailed', { title: run.flow_name }))
    } finally {
      setZipped(null)
    }
  }
  return { packed: zipped, downloadAll: all }
}
