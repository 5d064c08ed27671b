import { Plus, X } from 'lucide-react'
import { type FormEvent, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Input } from '@/components/input'
import { classes } from '@/lib/classes'

type WordListProps = {
  title: string
  /** The name of the field that adds one. */
  add: string
  items: readonly string[]
  onChange: (items: string[]) => void
  readOnly: boolean
  /** Short words as chips, or sentences as lines. */
  look: 'words' | 'banned' | 'lines'
  icon?: React.ReactNode
  maxLength?: number
}

/** A list of words or sentences: each can be removed, and a field adds more. */
export function WordList({
  title,
  add,
  items,
  onChange,
  readOnly,
  look,
  icon,
  maxLength = 80,
}: WordListProps) {
  const { t } = useTranslation('brands')
  const [text, setText] = useState('')
  const [adding, setAdding] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const id = useId()
  const isLines = look === 'lines'

  function submit(event: FormEvent) {
    event.preventDefault()
    const words = (isLines ? [text] : text.split(/[,;\n]/)).map((word) => word.trim()).filter(Boolean)
    const known = new Set(items.map((item) => item.toLowerCase()))
    const added = words
      .filter((word) => !known.has(word.toLowerCase()))
      .map((word) => word.slice(0, maxLength))
    if (added.length > 0) onChange([...items, ...added])
    setText('')
  }
  function close() {
    setAdding(false)
    setText('')
    queueMicrotask(() => opener.current?.focus())
  }

  return (
    <div className="min-w-0">
      <h3 id={id} className="mb-1.75 text-[12.5px] text-muted">
        {title}
      </h3>
      <ul aria-labelledby={id} className={isLines ? 'grid gap-1' : 'flex flex-wrap gap-1.75'}>
        {items.map((item) => (
          <li
            key={item}
            className={classes(
              'flex min-w-0 items-center',
              isLines
                ? 'gap-2.25 py-0.5 text-[13.5px] leading-normal'
                : 'h-7.5 gap-1.5 rounded-pill border border-hairline-strong pl-3 font-[550] text-sm',
              !isLines && (readOnly ? 'pr-3' : 'pr-1'),
            )}
          >
            {icon}
            <span
              dir="auto"
              className={classes(
                'min-w-0',
                isLines ? 'flex-1 break-words' : 'truncate',
                look === 'banned' && 'text-muted line-through decoration-madder',
              )}
            >
              {item}
            </span>
            {!readOnly && (
              <button
                type="button"
                aria-label={t('voice.remove', { item })}
                onClick={() => {
                  onChange(items.filter((one) => one !== item))
                  opener.current?.focus()
                }}
                className="grid size-6 flex-none place-items-center rounded-pill text-muted hover:bg-sunken hover:text-ink"
              >
                <X aria-hidden className="size-3.25" />
              </button>
            )}
          </li>
        ))}
        {!readOnly && !adding && (
          <li>
            <button
              ref={opener}
              type="button"
              aria-label={add}
              onClick={() => setAdding(true)}
              className={classes(
                'flex items-center justify-center gap-1.5 text-muted hover:bg-sunken hover:text-ink',
                isLines
                  ? 'rounded-pill py-1 pr-3 pl-0.5 text-sm'
                  : 'size-7.5 rounded-pill border border-hairline-strong border-dashed',
              )}
            >
              <Plus aria-hidden className="size-3.5" />
              {isLines && t('voice.add')}
            </button>
          </li>
        )}
      </ul>
      {adding && (
        <form onSubmit={submit} className="mt-1.75">
          <Input
            aria-label={add}
            autoFocus
            value={text}
            maxLength={isLines ? maxLength : 400}
            enterKeyHint="done"
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => event.key === 'Escape' && close()}
            onBlur={(event) => {
              submit(event)
              setAdding(false)
            }}
            className="h-8.5 text-sm"
          />
        </form>
      )}
    </div>
  )
}
