import { type ReactNode, useState } from 'react'
import { invalidate } from '@/lib/query-client'
import { lazyPart } from '../lazy-part'
import type { ChoiceSource } from '../setting/control-props'

const ConnectDialog = lazyPart(async () => (await import('./connect-dialog')).ConnectDialog)

type ConnectRequest = { source: ChoiceSource; onConnected: () => void }

type ConnectDialogState = {
  /** Opens the dialog; `onConnected` is called once the key of the provider is stored. */
  connect: (source: ChoiceSource, onConnected: () => void) => void
  /** Rendered by the caller. */
  dialog: ReactNode
}

/** Asks for the key of a provider, then reads the choices of settings again. `onClose` is called each time it closes. */
export function useConnectDialog(onClose?: () => void): ConnectDialogState {
  const [request, setRequest] = useState<ConnectRequest | null>(null)
  const close = () => {
    setRequest(null)
    // A connection may have been added on its own page.
    void invalidate({ queryKey: ['nodes'] })
    onClose?.()
  }
  return {
    connect: (source, onConnected) => setRequest({ source, onConnected }),
    dialog: request && (
      <ConnectDialog
        source={request.source}
        onConnected={() => {
          request.onConnected()
          close()
        }}
        onClose={close}
      />
    ),
  }
}
