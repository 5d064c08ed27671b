import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { NodeTile } from '@/components/node/node-appearance'
import { insertNode } from '@/document/actions'
import { useIsEmpty, useSession, useView } from '@/document/use-session'
import { classes } from '@/lib/classes'
import { FirstTemplates } from './lazy-panels'

/** Hints for an empty canvas. */
export function EmptyCanvas() {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const empty = useIsEmpty()
  const isFolded = useView((view) => view.isPaletteFolded)
  if (!empty || !session.canEdit) return null
  const starters = session.catalog.types.filter((type) => type.input !== null && !type.deprecated).slice(0, 3)
  return (
    <div
      className={classes(
        'pointer-events-none absolute inset-0 z-2 grid place-items-center',
        !isFolded && 'lg:pr-20 lg:pl-66',
      )}
    >
      <div className="flex w-full max-w-150 flex-col items-center gap-2 px-4 text-center">
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
        {/* As high as its content: the hints above do not move when it appears. */}
        <div className="mt-3 h-50 w-full [@media(height<620px)]:h-16">
          <FirstTemplates />
        </div>
      </div>
    </div>
  )
}
