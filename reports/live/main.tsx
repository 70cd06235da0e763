import { render } from 'preact'
import '../page/style/base.css'
import '../page/style/parts.css'
import './style/frame.css'
import './style/table.css'
import './style/details.css'
import { App } from './view/app.tsx'

const place = document.getElementById('page')
if (place) {
  place.textContent = ''
  const data = JSON.parse(document.getElementById('data')?.textContent ?? '') as Parameters<typeof App>[0]
  render(<App {...data} />, place)
}
