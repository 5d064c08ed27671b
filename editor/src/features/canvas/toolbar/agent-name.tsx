import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '@/document/use-session'
import { updateFlow } from '@/lib/api/flows'
import { toastError } from '@/lib/toasts'

/** The agent's name; pressed, it can be written anew. */
export function AgentName({ name }: { name: string }) {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const [text, setText] = useState(name)
  useEffect(() => setText(name), [name])
  if (!session.canEdit) return <h1 className="min-w-0 truncate pl-1 font-semibold">{name}</h1>
  const commit = () => {
    const next = text.trim()
    if (!next || next === name) return setText(name)
    updateFlow(session.flowId, { name: next }).catch((error: unknown) => {
      setText(name)
      toastError(t('save.error'), error)
    })
  }
  return (
    <h1 className="min-w-0">
      <input
        aria-label={t('top.rename')}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur()
          if (event.key === 'Escape') setText(name)
        }}
        className="field-sizing-content min-w-6 max-w-72 truncate rounded-s bg-transparent px-1 py-0.5 font-semibold hover:bg-sunken focus-visible:field-focus max-lg:max-w-52 max-md:max-w-full"
      />
    </h1>
  )
}
