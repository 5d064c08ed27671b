import { useContext } from 'react'
import { getSession } from '@/lib/api/session'
import { InsideMain, NotFound } from './error-pages'
import { lazyPage } from './lazy-page'

const SignedInNotFound = lazyPage(() => import('./layouts/signed-in-layout'), 'SignedInNotFound')

/** The page of an unknown address: signed-in users keep the navigation, also where no layout is around it. */
export function NotFoundPage() {
  const isInLayout = useContext(InsideMain)
  return getSession() && !isInLayout ? <SignedInNotFound /> : <NotFound />
}
