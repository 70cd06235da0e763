import { render } from 'preact'
import './style/base.css'
import './style/parts.css'
import './style/overview.css'
import './style/cards.css'
import './style/tables.css'
import './style/plots.css'
import './style/print.css'
import type { PageData } from './model/data.ts'
import { App } from './view/app.tsx'

const place = document.getElementById('page')
if (place) {
  place.textContent = ''
  render(<App data={JSON.parse(document.getElementById('data')?.textContent ?? '') as PageData} />, place)
}
