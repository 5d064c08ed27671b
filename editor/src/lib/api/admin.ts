import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import {
  adminCancelRun,
  adminCreateInvitation,
  adminExportAudit,
  adminFeatureFlow,
  adminGetLimits,
  adminGetUsage,
  adminGetUser,
  adminListAudit,
  adminListFlows,
  adminListInvitations,
  adminListRuns,
  adminListUsers,
  adminPatchLimits,
  adminPutBetas,
  adminRepublishFlow,
  adminResendInvitation,
  adminRestoreUser,
  adminRevokeInvitation,
  adminSendPasswordReset,
  adminSuspendUser,
  adminUnfeatureFlow,
  adminUnpublishFlow,
} from '../api.gen/sdk.gen'
import type {
  AdminAgent,
  AdminListAuditData,
  AdminListFlowsData,
  AdminListRunsData,
  AdminListUsersData,
  AuditEntry,
  InvitationItem,
  LimitOverrides,
  Person,
  PersonLimit,
  UsageReport,
} from '../api.gen/types.gen'
import { saveBlob } from '../files/download'
import { invalidate } from '../query-client'
import { unwrap } from './request'

export type { AdminAgent, AuditEntry, InvitationItem, LimitOverrides, Person, PersonLimit }
export type PersonStatus = NonNullable<NonNullable<AdminListUsersData['query']>['status']>
export type AgentStatus = NonNullable<NonNullable<AdminListFlowsData['query']>['status']>
export type AuditOutcome = NonNullable<NonNullable<AdminListAuditData['query']>['outcome']>
export type RunStatus = NonNullable<NonNullable<AdminListRunsData['query']>['status']>[number]
export type UsageGroup = UsageReport['by']

/** The filters of an admin page, kept in its address. */
export type AdminFilters = {
  q?: string | undefined
  status?: string | undefined
  user_id?: string | undefined
  flow_id?: string | undefined
}

const KEY = 'admin'
const LIMIT = 50
const throwOnError = true

type PageOf<Item> = { items: Item[]; next_cursor: string | null }

function pages<Page extends PageOf<unknown>>(
  key: readonly unknown[],
  read: (cursor: string | null, signal: AbortSignal) => Promise<Page>,
) {
  return infiniteQueryOptions({
    queryKey: [KEY, ...key],
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page: Page) => page.next_cursor,
    // A row that is pressed while a filter loads must stay where it is.
    placeholderData: keepPreviousData,
  })
}

export const peopleQuery = (q: string, status: PersonStatus | undefined) =>
  pages(['users', q, status], (cursor, signal) =>
    unwrap(adminListUsers({ query: { q, status, cursor, limit: LIMIT }, signal, throwOnError })),
  )

export const personQuery = (id: string) =>
  queryOptions({
    queryKey: [KEY, 'user', id],
    queryFn: ({ signal }) => unwrap(adminGetUser({ path: { user_id: id }, signal, throwOnError })),
  })

export const limitsQuery = (id: string) =>
  queryOptions({
    queryKey: [KEY, 'user', id, 'limits'],
    queryFn: ({ signal }) => unwrap(adminGetLimits({ path: { user_id: id }, signal, throwOnError })),
  })

export const invitationsQuery = pages(['invitations'], (cursor, signal) =>
  unwrap(adminListInvitations({ query: { cursor, limit: LIMIT }, signal, throwOnError })),
)

export const adminAgentsQuery = (q: string, status: AgentStatus | undefined) =>
  pages(['flows', q, status], (cursor, signal) =>
    unwrap(adminListFlows({ query: { q, status, cursor, limit: LIMIT }, signal, throwOnError })),
  )

export type RunFilter = Pick<AdminFilters, 'user_id' | 'flow_id'> & { status?: RunStatus | undefined }

export const adminRunsQuery = ({ status, user_id, flow_id }: RunFilter) =>
  pages(['runs', status, user_id, flow_id], (cursor, signal) =>
    unwrap(
      adminListRuns({
        query: { status: status && [status], user_id, flow_id, cursor, limit: LIMIT },
        signal,
        throwOnError,
      }),
    ),
  )

export const usageQuery = (by: UsageGroup) =>
  queryOptions({
    queryKey: [KEY, 'usage', by],
    queryFn: ({ signal }) => unwrap(adminGetUsage({ query: { by }, signal, throwOnError })),
  })

export type AuditQuery = { action?: string | undefined; outcome?: AuditOutcome | undefined }

export const auditQuery = (wanted: AuditQuery) =>
  pages(['audit', wanted], (cursor, signal) =>
    unwrap(adminListAudit({ query: { ...wanted, cursor, limit: LIMIT }, signal, throwOnError })),
  )

/** Downloads the entries that match as CSV. */
export async function exportAudit(wanted: AuditQuery): Promise<void> {
  const file: unknown = await unwrap(adminExportAudit({ query: wanted, parseAs: 'blob', throwOnError }))
  saveBlob(file as Blob, 'audit-log.csv')
}

async function changed(call: Promise<unknown>): Promise<void> {
  await call
  await invalidate({ queryKey: [KEY] })
}

const user = (id: string) => ({ path: { user_id: id }, throwOnError }) as const
const flow = (id: string) => ({ path: { flow_id: id }, throwOnError }) as const
const invitation = (id: string) => ({ path: { invitation_id: id }, throwOnError }) as const

export const suspendUser = (id: string, reason: string) =>
  changed(adminSuspendUser({ ...user(id), body: { reason } }))
export const restoreUser = (id: string, reason: string) =>
  changed(adminRestoreUser({ ...user(id), body: { reason } }))
export const setBetas = (id: string, betas: string[]) =>
  changed(adminPutBetas({ ...user(id), body: { betas } }))
/** Changes the given limits; null is the default again. */
export const setLimits = (id: string, limits: LimitOverrides) =>
  changed(adminPatchLimits({ ...user(id), body: limits }))
export const sendPasswordReset = (id: string) => changed(adminSendPasswordReset(user(id)))
export const invite = (email: string) => changed(adminCreateInvitation({ body: { email }, throwOnError }))
export const resendInvitation = (id: string) => changed(adminResendInvitation(invitation(id)))
export const revokeInvitation = (id: string) => changed(adminRevokeInvitation(invitation(id)))
export const setFeatured = (id: string, featured: boolean) =>
  changed(featured ? adminFeatureFlow(flow(id)) : adminUnfeatureFlow(flow(id)))
export const unpublish = (id: string, reason: string) =>
  changed(adminUnpublishFlow({ ...flow(id), body: { reason } }))
export const republish = (id: string, reason: string) =>
  changed(adminRepublishFlow({ ...flow(id), body: { reason } }))
export const cancelAnyRun = (id: string) => changed(adminCancelRun({ path: { run_id: id }, throwOnError }))
