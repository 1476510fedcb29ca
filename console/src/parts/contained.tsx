import { Component, type ReactNode } from 'react'

/** Content that fails to render is missing only in its own place. */
export class Contained extends Component<{ readonly children: ReactNode }, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render() {
    return this.state.hasFailed ? <span className="text-muted">not readable</span> : this.props.children
  }
}
