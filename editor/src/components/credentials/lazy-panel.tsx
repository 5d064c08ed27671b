import { Skeleton } from '@/components/surfaces'
import type { Asset } from '@/lib/api/assets'
import { lazyPart } from '../lazy-part'

const Panel = lazyPart(
  async () => (await import('./credentials-panel')).default,
  <Skeleton className="h-40" />,
)

/** Other files, such as texts, cannot have credentials. */
const signable = /^(image|video|audio)\//

type CredentialsPanelProps = { asset: Asset; pinned?: boolean; className?: string }

/** The content credentials of an image, video or audio file; loaded when they are shown. */
export function CredentialsPanel({ asset, pinned, className }: CredentialsPanelProps) {
  if (!signable.test(asset.media_type)) return null
  return (
    <div className={className}>
      <Panel key={asset.id} asset={asset} pinned={pinned} />
    </div>
  )
}
