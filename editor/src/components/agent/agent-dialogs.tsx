import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '@/lib/api/error'
import { createFlow, type FlowSummary, setFlowAvatar, updateFlow } from '@/lib/api/flows'
import { useAttempt, useExclusive, wasRejected } from '@/lib/attempt'
import { toastError, toastSuccess } from '@/lib/toasts'
import { AgentDialog, type AgentFacts, NEW_AGENT } from './agent-dialog'

type CreateAgentProps = { open: boolean; onOpenChange: (open: boolean) => void }

/** Creates a draft and opens it on the canvas. */
export function CreateAgent({ open, onOpenChange }: CreateAgentProps) {
  const { t } = useTranslation('agents')
  const navigate = useNavigate()
  const keepAvatar = useAvatar()
  const attempt = useAttempt()
  const creating = useMutation({
    mutationFn: async ({ facts, avatar, template }: Created) => {
      const asked = template ? { ...facts, from_template: template } : facts
      const flow = await createFlow(asked, attempt.keyOf(asked))
      attempt.done()
      await keepAvatar(flow.id, avatar)
      return flow
    },
    onError: (error) => wasRejected(error) && attempt.done(),
    onSuccess: (flow) => {
      onOpenChange(false)
      void navigate({ to: '/flow/$flowId', params: { flowId: flow.id } })
    },
  })
  const create = useExclusive(creating.mutateAsync)
  return (
    <AgentDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('createTitle')}
      action={t('createAction')}
      isNew
      start={NEW_AGENT}
      seed="new"
      busy={creating.isPending}
      error={creating.error ? messageOf(creating.error) : undefined}
      onSubmit={(facts, avatar, template) => create({ facts, avatar, template })}
    />
  )
}

type EditAgentProps = { agent: FlowSummary | null; onClose: () => void }

/** Edits name, visibility and marks of an agent; its flow does not change. */
export function EditAgent({ agent, onClose }: EditAgentProps) {
  const { t } = useTranslation('agents')
  const shown = useLast(agent)
  const keepAvatar = useAvatar()
  const saving = useMutation({
    mutationFn: async ({ facts, avatar }: Submitted) => {
      if (!agent) return
      await updateFlow(agent.id, facts)
      await keepAvatar(agent.id, avatar)
    },
    onSuccess: onClose,
  })
  const save = useExclusive(saving.mutateAsync)
  if (!shown) return null
  const { name, description, category, visibility, watermark, mark_exports } = shown
  return (
    <AgentDialog
      open={agent !== null}
      onOpenChange={(open) => {
        if (open) return
        saving.reset()
        onClose()
      }}
      title={t('editTitle')}
      action={t('form.save')}
      start={{ name, description, category, visibility, watermark, mark_exports }}
      seed={shown.id}
      avatarUrl={shown.avatar_url}
      busy={saving.isPending}
      error={saving.error ? messageOf(saving.error) : undefined}
      onSubmit={(facts, avatar) => save({ facts, avatar })}
    />
  )
}

type Submitted = { facts: AgentFacts; avatar: File | null }
type Created = Submitted & { template: string | null }

/** A failed image upload shows a toast; the agent is saved anyway. */
function useAvatar() {
  const { t } = useTranslation('agents')
  return async (id: string, avatar: File | null) => {
    if (!avatar) return
    try {
      await setFlowAvatar(id, avatar)
      toastSuccess(t('form.avatarSaved'))
    } catch (error) {
      toastError(t('form.avatarFailed'), error)
    }
  }
}

/** Keeps the agent while the dialog closes. */
function useLast<T>(value: T | null): T | null {
  const [last, setLast] = useState(value)
  if (value !== null && value !== last) setLast(value)
  return value ?? last
}
