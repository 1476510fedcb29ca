/** Scripts that run in a page and measure how long its user waits. */

const untilDrawn = 'requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - startedMs)))'

/** From input into the focused field until the next frame is drawn. */
export function inputDelay(text: string): string {
  return `new Promise((resolve) => {
    const input = document.activeElement
    const startedMs = performance.now()
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, ${JSON.stringify(text)})
    input.dispatchEvent(new Event('input', { bubbles: true }))
    ${untilDrawn}
  })`
}

/** From a click on the header of a column until the next frame is drawn. */
export function clickDelay(header: string): string {
  return `new Promise((resolve) => {
    const buttons = [...document.querySelectorAll('[role=columnheader] button')]
    const button = buttons.find(({ textContent }) => textContent.startsWith(${JSON.stringify(header)}))
    const startedMs = performance.now()
    button.click()
    ${untilDrawn}
  })`
}

export const observeLongTasks = `(() => {
  window.longTasks = []
  new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask' })
})()`

export const longestTask = 'Math.max(0, ...window.longTasks)'
