import { queryOptions } from '@tanstack/react-query'
import {
  versionsGet,
  versionsListVersions,
  versionsPorts,
  versionsRestore,
  versionsWithdraw,
} from '../api.gen/sdk.gen'
import type { DraftSaved, Version } from '../api.gen/types.gen'
import { unwrap } from './request'

/** Published versions and saves, newest first. */
export function versionsQuery(flowId: string) {
  return queryOptions({
    queryKey: ['flows', flowId, 'versions'],
    queryFn: async ({ signal }) => {
      const versions: Version[] = []
      let cursor: string | undefined
      do {
        const page = await unwrap(
          versionsListVersions({
            path: { flow_id: flowId },
            query: { limit: 100, cursor },
            signal,
            throwOnError: true,
          }),
        )
        versions.push(...page.items)
        cursor = page.next_cursor ?? undefined
      } while (cursor !== undefined)
      return versions
    },
    staleTime: 0,
  })
}

/** One version with its document; immutable. */
export function versionQuery(flowId: string, ref: string) {
  return queryOptions({
    queryKey: ['flows', flowId, 'versions', ref],
    queryFn: ({ signal }) =>
      unwrap(versionsGet({ path: { flow_id: flowId, ref }, signal, throwOnError: true })),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** What a version takes and gives; immutable. */
export function versionPortsQuery(flowId: string, ref: string) {
  return queryOptions({
    queryKey: ['flows', flowId, 'versions', ref, 'ports'],
    queryFn: ({ signal }) =>
      unwrap(versionsPorts({ path: { flow_id: flowId, ref }, signal, throwOnError: true })),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Restores a version as a new revision of the draft; the history is kept. */
export function restoreVersion(flowId: string, ref: string): Promise<DraftSaved> {
  return unwrap(versionsRestore({ path: { flow_id: flowId, ref }, throwOnError: true }))
}

/** Withdraws a published version: no one can launch it any more, and only its owner sees it. */
export function withdrawVersion(flowId: string, ref: string): Promise<Version> {
  return unwrap(versionsWithdraw({ path: { flow_id: flowId, ref }, throwOnError: true }))
}
