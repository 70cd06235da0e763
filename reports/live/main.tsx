import { render } from 'preact'
import '../page/style/base.css'
import '../page/style/parts.css'
import './style/frame.css'
import './style/table.css'
import './style/details.css'
import type { PageFacts } from '../../fixtures/live/messages.ts'
import { App } from './view/app.tsx'

const place = document.getElementById('page')
if (place) {
  place.textContent = ''
  render(<App facts={JSON.parse(document.getElementById('data')?.textContent ?? '') as PageFacts} />, place)
}
