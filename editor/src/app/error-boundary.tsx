import { Component, type ReactNode } from 'react'
import { Fallback } from './error-page'

/** Catches what no route caught, so that a broken part never leaves a blank page. */
export class Crash extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    return this.state.failed ? <Fallback /> : this.props.children
  }
}
