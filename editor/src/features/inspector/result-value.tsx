import { Copy } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { DataTable } from '@/components/data-table'
import { Markdown } from '@/components/markdown'
import { copyText } from '@/lib/clipboard'
import { layOutData } from '@/lib/data-layout'
import { mediaIn } from '@/lib/run/media-values'
import { asText, isStructured } from '@/lib/run/values'
import { MediaResult } from './media-result'

/** A value of a result: its media, its table, or its text. */
export function ResultValue({ value }: { value: unknown }) {
  const media = mediaIn(value)
  if (media.length > 0) return <MediaResult media={media} />
  return isStructured(value) ? <DataResult value={value} /> : <TextResult text={asText(value) ?? ''} />
}

function TextResult({ text }: { text: string }) {
  const { t } = useTranslation('inspector')
  return (
    <div className="flex flex-col items-start gap-2">
      <Markdown className="w-full break-words text-sm">{text}</Markdown>
      <CopyButton text={text} label={t('results.copy')} />
    </div>
  )
}

function DataResult({ value }: { value: unknown }) {
  const { t } = useTranslation('inspector')
  return (
    <div className="flex flex-col items-start gap-2">
      <div className="scrollbar-quiet w-full overflow-x-auto text-sm">
        <DataTable laid={layOutData(value)} />
      </div>
      <CopyButton text={asText(value) ?? ''} label={t('results.copyJson')} />
    </div>
  )
}

function CopyButton({ text, label }: { text: string; label: string }) {
  return (
    <Button size="sm" onClick={() => void copyText(text)}>
      <Copy />
      {label}
    </Button>
  )
}
