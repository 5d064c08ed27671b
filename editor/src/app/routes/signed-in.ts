import { createRoute } from '@tanstack/react-router'
import { requireSession } from '../guard'
import { SignedInLayout } from '../layouts/signed-in-layout'
import { rootRoute } from './root'

export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: requireSession,
  component: SignedInLayout,
})
