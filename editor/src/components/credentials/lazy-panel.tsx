import { lazy, Suspense } from 'react'
import { Skeleton } from '@/components/surfaces'
import type { Asset } from '@/lib/api/assets'

const Panel = lazy(() => import('./credentials-panel'))

/** Other files, such as texts, cannot have credentials. */
const signable = /^(image|video|audio)\//

type CredentialsPanelProps = { asset: Asset; className?: string }

/** The content credentials of an image, video or audio file; loaded when they are shown. */
export function CredentialsPanel({ asset, className }: CredentialsPanelProps) {
  if (!signable.test(asset.media_type)) return null
  return (
    <div className={className}>
      <Suspense fallback={<Skeleton className="h-40" />}>
        <Panel key={asset.id} asset={asset} />
      </Suspense>
    </div>
  )
}
