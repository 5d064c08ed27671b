import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '@/document/use-session'
import { titleOf } from '@/graph/connect'
import { findNode } from '@/graph/document'
import { isUsingKeyboard } from '../commands/key-targets'
import { choiceWords, describeEdit, describeSettings } from './describe-edit'

/** Delay that combines the moves of a held arrow key into one announcement. */
const ANNOUNCE_DELAY_MS = 250

/** Announces edits, undo and selection changes to screen readers. */
export function EditAnnouncer() {
  const edits = useEdits()
  const choices = useChoices()
  return (
    <>
      <div role="status" data-said className="sr-only">
        {edits}
      </div>
      <div role="status" className="sr-only">
        {choices}
      </div>
    </>
  )
}

function useEdits(): string {
  const { t } = useTranslation('keyboard')
  const session = useSession()
  const [said, setSaid] = useState('')
  useEffect(() => {
    const { flow } = session
    let before = flow.document
    let undone = flow.history.getState().futureStates.length
    let timer: ReturnType<typeof setTimeout> | undefined
    const announce = () => {
      const after = flow.document
      const { futureStates } = flow.history.getState()
      const edited = { before, after, catalog: session.catalog }
      const words = describeEdit(edited, t)
      const back = futureStates.length > undone
      const forth = futureStates.length > 0 && futureStates.length < undone
      const step = back ? t('edit.undone') : forth ? t('edit.redone') : ''
      setSaid([step, words || (step && describeSettings(edited, t))].filter(Boolean).join(' '))
      before = after
      undone = futureStates.length
    }
    const stop = flow.store.subscribe(() => {
      clearTimeout(timer)
      timer = setTimeout(announce, ANNOUNCE_DELAY_MS)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [session, t])
  return said
}

/** Announces selection changes made by keyboard. */
function useChoices(): string {
  const { t } = useTranslation('keyboard')
  const session = useSession()
  const [said, setSaid] = useState('')
  useEffect(() => {
    const title = (id: string) => {
      const node = findNode(session.document, id)
      return node ? titleOf(node, session.catalog) : ''
    }
    return session.view.subscribe(({ nodes }, { nodes: before }) => {
      if (nodes !== before && isUsingKeyboard()) setSaid(choiceWords(before, nodes, title, t))
    })
  }, [session, t])
  return said
}
