import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { generativeTypes, nodesQuery } from '@/lib/api/nodes'
import { type Run, runQuery } from '@/lib/api/runs'
import { fromRun } from '@/lib/run/reduce'
import type { RunState } from '@/lib/run/types'
import type { FlowDocument } from './model/expected-results'
import { type Steps, stepsToRerun, withKept } from './model/rerun'
import { type Tile, tilesOf } from './model/tiles'

export function tilesOfRun(run: Run, state: RunState): Tile[] {
  return tilesOf({
    status: state.status,
    inputs: run.inputs,
    flow: run.flow as FlowDocument,
    results: run.results,
    step: (id) => state.steps[id],
  })
}

/** What determines the steps behind a tile of a run. */
export function stepsOf(steps: RunState['steps'], generative: ReadonlySet<string>): Steps {
  return {
    isGenerative: (type) => generative.has(type),
    types: new Map(Object.values(steps).map(({ id, nodeType }) => [id, nodeType])),
    lengthOf: (step) => Object.values(steps[step]?.outputs ?? {}).find(Array.isArray)?.length ?? null,
  }
}

/** The tiles of a run that regenerates a part of another: the rest is shown from that run until it arrives. */
export function useKeptTiles(run: Run, tiles: readonly Tile[]): readonly Tile[] {
  const id = run.again_of ?? ''
  const wanted = id !== '' && tiles.some(({ state }) => state !== 'ready')
  const { data: earlier } = useQuery({ ...runQuery(id), enabled: wanted })
  const { data: catalog } = useQuery({ ...nodesQuery(), enabled: wanted })
  return useMemo(() => {
    if (!wanted || !earlier || !catalog) return tiles
    const state = fromRun(earlier)
    const steps = stepsOf(state.steps, generativeTypes(catalog))
    const fresh = new Set(run.fresh)
    const isRegenerated = (tile: Tile) =>
      stepsToRerun(run.flow as FlowDocument, tile, steps).some((step) => fresh.has(step))
    return withKept(tiles, tilesOfRun(earlier, state), isRegenerated)
  }, [wanted, earlier, catalog, run, tiles])
}
