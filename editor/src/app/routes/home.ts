import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { assetsQuery } from '@/lib/api/assets'
import { flowsQuery } from '@/lib/api/flows'
import { readHomeDraft } from '@/lib/launch/home-draft'
import { queryClient } from '@/lib/query-client'
import { signedInRoute } from './signed-in'

type HomeSearch = { agent?: string | undefined; images?: string[] | undefined }

/** An agent and images to begin with: how the library sends an asset to an agent. */
function homeSearch({ agent, images }: Record<string, unknown>): HomeSearch {
  const ids = Array.isArray(images) ? images.filter((id) => typeof id === 'string') : []
  return {
    ...(typeof agent === 'string' && { agent }),
    ...(ids.length > 0 && { images: ids }),
  }
}

export const homeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
  validateSearch: homeSearch,
  loader: ({ location }) => {
    const { images } = homeSearch(location.search)
    void queryClient.prefetchQuery(flowsQuery({ includeAll: false }))
    void queryClient.prefetchQuery(assetsQuery(images ?? readHomeDraft().images))
  },
  component: lazyRouteComponent(() => import('../pages/home-page'), 'HomeRoutePage'),
})
