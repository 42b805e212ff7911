/** Functions that run in the browser. */

/** Returns a page's height, number of elements and text, with numbers masked, to detect changes. */
export function look(): string {
  const { scrollHeight } = document.documentElement;
  const { length } = document.querySelectorAll('*');
  return [scrollHeight, length, document.body.innerText.replace(/(?:< )?\S*\d\S*/g, '0')].join(' ');
}

/**
 * Hides everything that varies between runs. Words with a digit, times, dates, keys and the camera's state
 * become "0". Pictures, charts, log lines, spinners and the camera's figures become invisible.
 */
export function hideVarying(): void {
  const style = new CSSStyleSheet();
  style.replaceSync(`
    *, ::before, ::after, ::file-selector-button {
      caret-color: transparent !important;
      transition: none !important;
      animation: none !important;
    }
    main :is(img, canvas, video, meter, progress, .qr, .log-lines, [data-camera-age]) {
      visibility: hidden !important;
    }
    [aria-busy="true"]::before { visibility: hidden !important; }
    input[name="code"] { color: transparent !important; }
    noscript { display: none !important; }`);
  document.adoptedStyleSheets = [style];
  const names = (count: number, part: 'month' | 'weekday'): string => {
    const formats = ['en', 'nl'].flatMap((language) =>
      (['short', 'long'] as const).map(
        (length) => new Intl.DateTimeFormat(language, { [part]: length, timeZone: 'UTC' }),
      ),
    );
    const times = Array.from({ length: count }, (_, n) =>
      part === 'month' ? Date.UTC(2026, n) : Date.UTC(2026, 0, n),
    );
    return formats.flatMap((format) => times.map((time) => format.format(time))).join('|');
  };
  const [months, days] = [names(12, 'month'), names(7, 'weekday')];
  const dates = new RegExp(`(?<=\\d )(${months})\\b|\\b(${days})(?=,? \\d)`, 'gi');
  const varying = 'time, .secret, .fingerprint, :is([data-light="camera"], [data-item="camera"]) strong';
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode as Text;
    if (text.data.trim() === '') continue;
    const isVarying = text.parentElement?.closest(varying);
    text.data = isVarying ? '0' : text.data.replace(dates, '0').replace(/(?:< )?\S*\d\S*/g, '0');
  }
}

export interface Comparison {
  /** Number of areas of 8 px by 8 px whose mean colours differ. */
  areas: number;
  /** PNG in base64: the actual image with differing areas in red. */
  diff: string;
}

/**
 * Compares the mean colours of small areas. Different versions of Chromium smooth the edges of letters differently,
 * which hardly affects the mean; a changed colour, size or text does.
 */
export async function compare(images: string[]): Promise<Comparison> {
  const AREA_PX = 4;
  const MAX_DIFFERENCE = 10;
  const decoded = await Promise.all(
    images.map(async (data) => {
      const image = new Image();
      image.src = `data:image/webp;base64,${data}`;
      await image.decode();
      return image;
    }),
  );
  const width = Math.max(...decoded.map((image) => image.width));
  const height = Math.max(...decoded.map((image) => image.height));
  const canvasOf = (canvasWidth: number, canvasHeight: number) => {
    const canvas = Object.assign(document.createElement('canvas'), {
      width: canvasWidth,
      height: canvasHeight,
    });
    const context = canvas.getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D;
    return { canvas, context };
  };
  const [w, h] = [Math.ceil(width / AREA_PX), Math.ceil(height / AREA_PX)];
  const [expected = [], actual = []] = decoded.map((image) => {
    const { context } = canvasOf(w, h);
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, image.width / AREA_PX, image.height / AREA_PX);
    return context.getImageData(0, 0, w, h).data;
  });
  const { canvas, context } = canvasOf(width, height);
  context.globalAlpha = 0.4;
  context.drawImage(decoded[1] as HTMLImageElement, 0, 0);
  context.fillStyle = 'red';
  let areas = 0;
  for (let at = 0; at < w * h; at += 1) {
    const isDifferent = [0, 1, 2, 3].some(
      (channel) =>
        Math.abs((expected[at * 4 + channel] ?? 0) - (actual[at * 4 + channel] ?? 0)) > MAX_DIFFERENCE,
    );
    if (!isDifferent) continue;
    areas += 1;
    context.fillRect((at % w) * AREA_PX, Math.floor(at / w) * AREA_PX, AREA_PX, AREA_PX);
  }
  const [, diff = ''] = canvas.toDataURL('image/png').split(',');
  return { areas, diff: areas > 0 ? diff : '' };
}
