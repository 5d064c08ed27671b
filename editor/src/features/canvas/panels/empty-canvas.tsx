import { LayoutTemplate } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { NodeTile } from '@/components/node/node-appearance'
import { insertNode } from '@/document/actions'
import { useIsEmpty, useSession } from '@/document/use-session'

/** Hints for an empty canvas. */
export function EmptyCanvas() {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const empty = useIsEmpty()
  if (!empty || !session.canEdit) return null
  const starters = session.catalog.types.filter((type) => type.input !== null && !type.deprecated).slice(0, 3)
  return (
    <div className="pointer-events-none absolute inset-0 z-2 grid place-items-center">
      <div className="flex max-w-90 flex-col items-center gap-2 text-center">
        <h2 className="font-serif text-title">{t('empty.title')}</h2>
        <p className="text-muted">{t('empty.text')}</p>
        <div className="pointer-events-auto mt-3 flex flex-wrap justify-center gap-2">
          {starters.map((type) => (
            <Button
              key={type.id}
              aria-label={t('empty.start', { title: type.title })}
              onClick={() => insertNode(session, type)}
            >
              <NodeTile type={type} className="size-5" />
              {type.title}
            </Button>
          ))}
        </div>
        <Button className="pointer-events-auto" onClick={() => session.view.open('templates')}>
          <LayoutTemplate />
          {t('templates.title')}
        </Button>
      </div>
    </div>
  )
}
