import { useQuery } from '@tanstack/react-query'
import { Copy, Download } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { EmptyState, Skeleton } from '@/components/surfaces'
import { assetBytes } from '@/lib/api/asset-files'
import type { Asset } from '@/lib/api/assets'
import { titleOf } from '@/lib/asset-title'
import { copyText } from '@/lib/clipboard'
import { saveBlob } from '@/lib/files/download'
import { fileStem } from '@/lib/files/file-names'

/** A longer text is downloaded, not shown. */
const MAX_BYTES = 1_000_000

/** The words of a text, to read, copy and download. */
export function TextContent({ asset }: { asset: Asset }) {
  const { t } = useTranslation('assets')
  const isShown = asset.bytes <= MAX_BYTES
  const text = useQuery({
    queryKey: ['asset-text', asset.sha256],
    queryFn: async () => new TextDecoder().decode(await assetBytes(asset)),
    enabled: isShown,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!isShown) return <EmptyState title={t('textTooLong')} />
  if (text.isPending) return <Skeleton className="h-40" />
  if (text.isError) {
    return (
      <EmptyState
        title={t('textNotLoaded')}
        action={
          <Button size="sm" onClick={() => void text.refetch()}>
            {t('retry')}
          </Button>
        }
      />
    )
  }
  const save = (extension: string, type: string) =>
    saveBlob(new Blob([text.data], { type }), `${fileStem(titleOf(asset))}.${extension}`)
  return (
    <div>
      <section
        dir="auto"
        aria-label={titleOf(asset)}
        className="wrap-anywhere whitespace-pre-wrap rounded-m bg-sunken p-4 text-md leading-relaxed"
      >
        {text.data}
      </section>
      <div className="mt-2.5 flex flex-wrap gap-2">
        <Button size="sm" onClick={() => void copyText(text.data)}>
          <Copy aria-hidden />
          {t('copy')}
        </Button>
        <Button size="sm" onClick={() => save('txt', 'text/plain')}>
          <Download aria-hidden />
          .txt
        </Button>
        <Button size="sm" onClick={() => save('md', 'text/markdown')}>
          <Download aria-hidden />
          .md
        </Button>
      </div>
    </div>
  )
}
