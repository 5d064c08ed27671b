import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { nodesQuery } from '@/lib/api/nodes'
import { cancelRun, type Run, resumeRun, startRun } from '@/lib/api/runs'
import type { RunState } from '@/lib/run/types'
import { toastError, toastSuccess } from '@/lib/toasts'
import { copyTile, downloadAll, downloadTile, type FindAsset } from './downloads'
import type { FlowDocument } from './model/expected-results'
import { freshFor } from './model/rerun'
import type { Tile } from './model/tiles'
import type { TileActs } from './tile-actions'

type RunActsOptions = {
  run: Run
  steps: RunState['steps']
  find: FindAsset
  titleOf: (tile: Tile) => string
  onView: (tile: Tile) => void
}

/** Everything a person can do on the results page. */
export function useRunActs({ run, steps, find, titleOf, onView }: RunActsOptions) {
  const { t } = useTranslation('runs')
  const [picked, setPicked] = useState<Tile[]>([])
  const stopping = useMutation({
    mutationFn: () => cancelRun(run.id),
    onError: (error) => toastError(t('stopFailed'), error),
  })
  const resuming = useMutation({
    mutationFn: () => resumeRun(run.id),
    // It runs again, so it can be stopped again.
    onSuccess: stopping.reset,
    onError: (error) => toastError(t('resumeFailed'), error),
  })
  const again = useAgain(run, steps)
  const pack = usePacking(run, find)

  const tile: TileActs = {
    titleOf,
    view: onView,
    // Once only: the way to the new results may take its time.
    again: run.flow_id ? (one) => again.isPending || again.isSuccess || again.mutate(one) : null,
    compare: (one) => setPicked((known) => [...known.filter(({ key }) => key !== one.key), one].slice(-2)),
    download: (one) =>
      void downloadTile(one, find).catch(() => toastError(t('downloadFailed', { title: titleOf(one) }))),
    copy: (one) =>
      void copyTile(one, find).then(
        () => toastSuccess(t('copied')),
        () => toastError(t('copyFailed')),
      ),
  }

  return {
    tile,
    picked,
    clearPicked: () => setPicked([]),
    stop: () => stopping.mutate(),
    stopping: stopping.isPending || stopping.isSuccess,
    resume: () => resuming.mutate(),
    resuming: resuming.isPending,
    againError: again.error,
    clearAgainError: again.reset,
    ...pack,
  }
}

/** Launches the same once more, with only what made this tile done afresh. */
function useAgain(run: Run, steps: RunState['steps']) {
  const navigate = useNavigate()
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (tile: Tile) => {
      const catalogue = await client.ensureQueryData(nodesQuery())
      const types = catalogue.types as { id: string; generative?: boolean }[]
      const generative = new Set(types.filter((type) => type.generative).map(({ id }) => id))
      return startRun(run.flow_id ?? '', {
        inputs: run.inputs,
        version: run.version,
        fresh: freshFor(run.flow as FlowDocument, tile, {
          invents: (type) => generative.has(type),
          lengthOf: (step) => Object.values(steps[step]?.outputs ?? {}).find(Array.isArray)?.length ?? null,
        }),
        reuse: 'changed',
      })
    },
    onSuccess: (started) => void navigate({ to: '/run/$runId', params: { runId: started.id } }),
  })
}

function usePacking(run: Run, find: FindAsset) {
  const { t } = useTranslation('runs')
  const [packed, setPacked] = useState<number | null>(null)
  async function all(tiles: readonly Tile[]) {
    setPacked(0)
    try {
      await downloadAll(tiles, { name: `${run.flow_name} ${run.number}`, find, onProgress: setPacked })
    } catch {
      toastError(t('downloadFailed', { title: run.flow_name }))
    } finally {
      setPacked(null)
    }
  }
  return { packed, downloadAll: all }
}
