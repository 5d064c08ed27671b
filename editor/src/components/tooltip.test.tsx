// @vitest-environment jsdom
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import '@/lib/i18n'
import { Dialog } from './dialog'
import { IconButton } from './icon-button'
import { TooltipProvider } from './tooltip'

function Results() {
  const [open, setOpen] = useState(true)
  return (
    <TooltipProvider>
      <Dialog open={open} onOpenChange={setOpen} title="Results">
        <IconButton label="Remove" icon={<Trash2 />} />
      </Dialog>
    </TooltipProvider>
  )
}

test('Escape closes the dialog around a button whose tooltip is shown', async () => {
  const person = userEvent.setup()
  render(<Results />)
  while (document.activeElement !== screen.getByRole('button', { name: 'Remove' })) await person.tab()
  await waitFor(() => expect(screen.getByRole('tooltip')).toBeInTheDocument())
  await person.keyboard('{Escape}')
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
})
