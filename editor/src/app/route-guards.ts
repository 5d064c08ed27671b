import { notFound, type ParsedLocation, redirect } from '@tanstack/react-router'
import { adoptSession } from '@/lib/api/refresh'
import { getSession, hasSignedOut } from '@/lib/api/session'
import { currentUserQuery } from '@/lib/api/users'
import { expectOnboarding, needsOnboarding } from '@/lib/onboarding'
import { queryClient } from '@/lib/query-client'
import { returnPath } from '@/lib/return-path'
import type { SignInSearch } from './route-search'

/** Guard of pages that require sign-in: redirects to /login, and from there back. */
export function requireSession({ location }: { location: ParsedLocation }): void {
  if (getSession()) return
  const next = location.href === '/' || hasSignedOut() ? undefined : location.href
  throw redirect({ to: '/login', search: { next }, replace: true })
}

/** Guard of pages for admins: others get the page for unknown addresses, as from the server. */
export async function requireAdmin(): Promise<void> {
  const { is_admin } = await queryClient.ensureQueryData(currentUserQuery)
  if (!is_admin) throw notFound()
}

/** Guard of pages for signed-out users: redirects to the target, or Home. */
export async function requireNoSession({ search }: { search: { next?: string | undefined } }): Promise<void> {
  if (!getSession()) return
  const next = returnPath(search.next)
  if (await needsOnboarding()) throw redirect({ to: '/onboarding/company', search: { next }, replace: true })
  throw redirect({ href: next, replace: true })
}

/** Guard of onboarding: who is signed in and has answered goes Home, as with Back after the activation. */
export async function requireUnanswered(): Promise<void> {
  if (!getSession()) return
  const user = await queryClient.fetchQuery({ ...currentUserQuery, staleTime: 0 }).catch(() => null)
  if (user?.info) throw redirect({ to: '/', replace: true })
}

/** Guard of the sign-in page; starts the session of an OIDC sign-in first. */
export async function completeSignIn({ search }: { search: SignInSearch }): Promise<void> {
  if (search.arrived && !getSession()) {
    expectOnboarding()
    if (!(await adoptSession().catch(() => false))) {
      throw redirect({ to: '/login', search: { next: search.next, failed: 'oidc' }, replace: true })
    }
  }
  return requireNoSession({ search })
}
