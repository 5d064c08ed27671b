import { createRoute } from '@tanstack/react-router'
import { PublicLayout } from '../layouts/public-layout'
import { rootRoute } from './root'

export const publicRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'public',
  component: PublicLayout,
})
