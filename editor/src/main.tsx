import './react-start'
import './lib/class-tables'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app'
import './styles/index.css'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no root element.')
// A transition is rendered in slices: taps are answered in between.
startTransition(() =>
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
)
