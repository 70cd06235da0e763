/**
 * Code for a browser: finds texts on the open page whose contrast to their background is below WCAG 2.2 AA, each with
 * its ratio. Text of 24 pixels, or bold of 18.7, is large.
 */
export const lowContrast: string = `(() => {
  const channels = (color) => {
    const canvas = (globalThis.canvas ??= new OffscreenCanvas(1, 1)).getContext('2d', { willReadFrequently: true })
    canvas.clearRect(0, 0, 1, 1)
    canvas.fillStyle = color
    canvas.fillRect(0, 0, 1, 1)
    const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data
    return [red, green, blue, alpha / 255]
  }
  const known = new Map()
  const colorOf = (color) => {
    if (!known.has(color)) known.set(color, channels(color))
    return known.get(color)
  }
  const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1]
  const behind = (element) => {
    if (!element) return [255, 255, 255, 1]
    const own = colorOf(getComputedStyle(element).backgroundColor)
    return own[3] === 1 ? own : over(own, behind(element.parentElement))
  }
  const light = ([r, g, b]) => {
    const [R, G, B] = [r, g, b].map((value) => {
      const share = value / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * R + 0.7152 * G + 0.0722 * B
  }
  const found = new Set()
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement
    if (walker.currentNode.data.trim() === '' || !element.checkVisibility() || element.closest('script, option')) continue
    const style = getComputedStyle(element)
    const back = behind(element)
    const [a, b] = [light(over(colorOf(style.color), back)), light(back)].sort((x, y) => y - x)
    const ratio = (a + 0.05) / (b + 0.05)
    const size = parseFloat(style.fontSize)
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700)
    if (ratio < (large ? 3 : 4.5)) found.add(element.className + ' ' + walker.currentNode.data.slice(0, 30) + ' ' + ratio.toFixed(2))
  }
  return [...found]
})()`
