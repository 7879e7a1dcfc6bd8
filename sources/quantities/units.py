"""Units and currencies: their names in both languages, and what converts into what.

Factors: SI brochure (9th edition) and its accepted units; customary units by the 1959
international agreement; mu and jin by the Chinese statutory measures.
"""

import re
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple


class Unit(NamedTuple):
    """A unit: what it measures, and how many of the base unit of that it holds."""

    dimension: str
    factor: Decimal


SHARE = "share"
POINTS = "points"
COUNT = "count"
TEMPERATURE = "temperature"

# canonical name, dimension, factor, names in texts. Months and days do not convert: no month has
# a fixed length.
_TABLE = """
%           share   0.01    %|percent|per cent|pct|per-cent
‰           share   0.001   ‰|per mille
fraction    share   1
tenth       share   0.1     成|折
pp          points  1       percentage points|percentage point|percentage-points|percentage-point|pp|ppt|ppts|pts|个百分点|百分点
bp          points  0.01    basis points|basis point|bps|bp|个基点|基点
times       times   1       times|fold|倍|x|×
second      time    1       seconds|second|secs|sec|s|秒钟|秒
ms          time    0.001   milliseconds|millisecond|ms|毫秒
minute      time    60      minutes|minute|mins|min|分钟
hour        time    3600    hours|hour|hrs|hr|h|个小时|小时|个钟头
day         time    86400   days|day|d|天|个工作日|工作日|夜|晚
week        time    604800  weeks|week|wks|wk|个星期|星期|周
month       months  1       months|month|mos|mo|个月
year        months  12      years old|year-old|years-old|years of age|years|year|yrs|yr|周岁|岁|年
g           mass    1       grams|gram|g|克
mg          mass    0.001   milligrams|milligram|mg|㎎|毫克
μg          mass    0.000001 micrograms|μg|mcg|ug|微克
ng          mass    0.000000001 ng|纳克
kg          mass    1000    kilograms|kilogram|kilos|kg|㎏|公斤|千克
t           mass    1000000 metric tonnes|metric tons|tonnes|tonne|tons|ton|t|公吨|吨
lb          mass    453.59237 pounds|pound|lbs|lb|磅
oz          mass    28.349523125 ounces|ounce|oz|盎司
jin         mass    500     斤
m           length  1       metres|meters|metre|meter|m|米
cm          length  0.01    centimetres|centimeters|centimetre|centimeter|cm|㎝|厘米
mm          length  0.001   millimetres|millimeters|millimetre|millimeter|mm|㎜|毫米
μm          length  0.000001 micrometres|micrometers|microns|μm|um|微米
nm          length  0.000000001 nanometres|nanometers|nm|纳米
km          length  1000    kilometres|kilometers|kilometre|kilometer|km|㎞|公里|千米
mile        length  1609.344 miles|mile|mi|英里
nmi         length  1852    nautical miles|nautical mile|nmi|海里
ft          length  0.3048  feet|foot|ft|英尺
in          length  0.0254  inches|inch|英寸
m²          area    1       square metres|square meters|square metre|square meter|sq m|m²|m2|㎡|平方米|平米
km²         area    1000000 square kilometres|square kilometers|sq km|km²|km2|平方公里|平方千米
ha          area    10000   hectares|hectare|ha|公顷
acre        area    4046.8564224 acres|acre|英亩
mu          area    666.6666667 亩
ft²         area    0.09290304 square feet|square foot|sq ft|sq. ft.|平方英尺
L           volume  1       litres|liters|litre|liter|L|l|升
mL          volume  0.001   millilitres|milliliters|mL|ml|毫升
dL          volume  0.1     dL|dl
μL          volume  0.000001 μL|μl|微升
m³          volume  1000    cubic metres|cubic meters|m³|m3|立方米|立方
barrel      volume  158.987294928 barrels|barrel|bbl|桶
Wh          energy  1       watt-hours|Wh|瓦时
kWh         energy  1000    kilowatt-hours|kilowatt-hour|kilowatt hours|kilowatt hour|kWh|kwh|KWh|千瓦时|千瓦小时|度电
MWh         energy  1000000 megawatt-hours|megawatt-hour|megawatt hours|megawatt hour|MWh|兆瓦时
GWh         energy  1000000000 gigawatt-hours|gigawatt-hour|gigawatt hours|GWh|吉瓦时
TWh         energy  1000000000000 terawatt-hours|terawatt-hour|terawatt hours|TWh|太瓦时
J           energy  0.0002777777778 joules|J|焦耳
kJ          energy  0.2777777778 kilojoules|kJ|千焦
kcal        energy  1.1622222222 kilocalories|kcal|千卡|大卡
W           power   1       watts|watt|W|瓦
kW          power   1000    kilowatts|kilowatt|kW|千瓦
MW          power   1000000 megawatts|megawatt|MW|兆瓦
GW          power   1000000000 gigawatts|gigawatt|GW|吉瓦
TW          power   1000000000000 terawatts|TW|太瓦
mmHg        pressure 133.322387 mmHg|mm Hg|毫米汞柱
kPa         pressure 1000   kPa|千帕
MPa         pressure 1000000 MPa|兆帕
mol         amount  1       mol
mmol        amount  0.001   mmol|毫摩尔
μmol        amount  0.000001 μmol|umol|微摩尔
nmol        amount  0.000000001 nmol
pmol        amount  0.000000000001 pmol
IU          activity 1      IU|国际单位
°C          temperature 1   °C|℃|degrees Celsius|degrees C|摄氏度
°F          temperature 1   °F|℉|degrees Fahrenheit|degrees F|华氏度
KB          data    1000    kilobytes|KB|kB
MB          data    1000000 megabytes|MB|兆字节
GB          data    1000000000 gigabytes|GB
TB          data    1000000000000 terabytes|TB
PB          data    1000000000000000 petabytes|PB
Hz          frequency 1     Hz|赫兹
kHz         frequency 1000  kHz|千赫
MHz         frequency 1000000 MHz|兆赫
GHz         frequency 1000000000 GHz|吉赫
TEU         container 1     TEUs|TEU|标箱|标准箱
tCO2e       emission 1      tCO2e|tCO2eq
patient     count   1       patients|patient|例患者|名患者|位患者|患者|例
person      count   1       participants|participant|subjects|persons|people|adults|children|residents|employees|users|人次|人|名|位
item        count   1       个|家|项|次|条|只|台|辆|艘|座|所|篇|份|件|起|种|款|类|套|组|轮|批|股|张|部|间|户|棵|头|枚|颗|步|门|本|处|层|期|届|代
USD         currency:USD 1  US dollars|U.S. dollars|dollars|dollar|USD|美元|美金
EUR         currency:EUR 1  euros|euro|EUR|欧元
GBP         currency:GBP 1  pounds sterling|sterling|GBP|英镑
CNY         currency:CNY 1  renminbi|yuan|RMB|CNY|元人民币|人民币|元|块钱
JPY         currency:JPY 1  yen|JPY|日元|日圆
HKD         currency:HKD 1  Hong Kong dollars|HKD|港元|港币
TWD         currency:TWD 1  TWD|新台币|台币
KRW         currency:KRW 1  won|KRW|韩元
INR         currency:INR 1  rupees|INR|卢比
AUD         currency:AUD 1  Australian dollars|AUD|澳元
CAD         currency:CAD 1  Canadian dollars|CAD|加元
SGD         currency:SGD 1  Singapore dollars|SGD|新加坡元|新元
CHF         currency:CHF 1  Swiss francs|CHF|瑞士法郎
RUB         currency:RUB 1  roubles|rubles|RUB|卢布
"""  # noqa: E501

UNITS: dict[str, Unit] = {}
NAMES: dict[str, str] = {}
for _line in _TABLE.strip().splitlines():
    _canonical, _dimension, _factor, *_rest = _line.split(maxsplit=3)
    UNITS[_canonical] = Unit(_dimension, Decimal(_factor))
    for _name in _rest[0].split("|") if _rest else ():
        NAMES[_name] = _canonical

SYMBOLS = {
    "US$": "USD", "HK$": "HKD", "NT$": "TWD", "A$": "AUD", "AU$": "AUD", "C$": "CAD", "CA$": "CAD",
    "S$": "SGD", "$": "USD", "€": "EUR", "£": "GBP", "¥": "CNY", "JP¥": "JPY", "CN¥": "CNY",
    "₹": "INR", "₩": "KRW", "₽": "RUB", "RMB": "CNY", "人民币": "CNY",
} | {name: name for name in UNITS if UNITS[name].dimension.startswith("currency")}  # fmt: skip


def alternatives(names: "dict[str, str] | list[str]") -> str:
    """Give a pattern that tries the longest name first."""
    return "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))


# Case tells mW from MW and M from m; only words may be written in capitals as well.
_WORD = [n for n in NAMES if n.isascii() and n.replace(" ", "").replace("-", "").isalpha()]
_LONG = [n for n in _WORD if len(n) > 3 and n.islower()]
_SHORT = [n for n in NAMES if n.isascii() and n not in _LONG and n != "%"]
_CHINESE = [n for n in NAMES if not n.isascii() or n == "%"]
# Words that only begin like a unit: 成立, 人民, 名为, 次日.
_NOT_UNIT = (
    r"(?!成[立为本功员熟长果交人都就品]|人[民工类均力才员]|名[为叫单]|位[于列居置]|次[日年于要]"
    r"|家[庭用里]|天[津然]|部[分门署]|门[店票诊]|本[次年月周报公科文]|类[似别型]|代[表码理]|期[间末]|组[织成]"
    r"|所[有以示]|只有|起[售步来飞]|处[理于]|股[份票东]|周[期边末]|元[素旦]|克服|米兰|条件|台[湾阶]|层面|年[级轻龄])"
)
_SIMPLE = (
    rf"(?:{_NOT_UNIT}(?:{alternatives(_CHINESE)})|(?:{alternatives(_SHORT)})(?![A-Za-z0-9²³])"
    rf"|(?i:{alternatives(_LONG)})(?![A-Za-z]))"
)
# "per 100,000" stays a number of its own.
UNIT = re.compile(
    # Lines of a page may break between figure and unit, but a lone letter then is a new line.
    rf"(?:(?:[ -]|\n(?=[a-z]{{2}}|[\u4e00-\u9fff%]))?({_SIMPLE}))"
    rf"(?:(?:/| ?per (?!cent)|每)({_SIMPLE}))?"
)


def canonical(name: str) -> str:
    """Give the canonical name of a unit as written; the name itself when it is unknown."""
    return NAMES.get(name) or NAMES.get(name.lower()) or name


@lru_cache(maxsize=4096)
def unit_of(name: str) -> Unit:
    """Give a unit by its canonical name, composed ones ("mg/kg") as well."""
    above, slash, below = name.partition("/")
    first = UNITS.get(above, Unit(above, Decimal(1)))
    if not slash:
        return first if above else Unit("", Decimal(1))
    second = UNITS.get(below, Unit(below, Decimal(1)))
    return Unit(f"{first.dimension}/{second.dimension}", first.factor / second.factor)


def to_base(value: Decimal, name: str) -> Decimal:
    """Convert a value to the base unit of its dimension; Celsius for temperatures."""
    if name == "°F":
        return (value - 32) * 5 / 9
    return value * unit_of(name).factor


MULTIPLIERS = {
    "十万": 10**5, "百万": 10**6, "千万": 10**7, "万亿": 10**12, "千亿": 10**11, "百亿": 10**10,
    "十亿": 10**9, "亿": 10**8, "万": 10**4, "千": 10**3, "百": 10**2, "兆": 10**12,
    "hundred": 10**2, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12,
    "mn": 10**6, "mln": 10**6, "bn": 10**9, "tn": 10**12, "trn": 10**12, "lakh": 10**5,
    "crore": 10**7, "k": 10**3, "K": 10**3, "M": 10**6, "B": 10**9, "T": 10**12,
    "m": 10**6, "b": 10**9,
}  # fmt: skip
MULTIPLIER = re.compile(
    r"(?P<over>\s?[余多])?\s?(?:(?P<zh>十万|百万|千万|万亿|千亿|百亿|十亿|亿|万"
    r"|千(?![瓦克米卡帕焦赫伏升字兆分])|百(?![分帕货度])|兆(?![瓦帕赫焦欧字比伏]))"
    r"|-?(?P<word>(?i:hundred|thousand|million|billion|trillion|mln|mn|bn|trn|tn|lakh|crore))s?"
    r"(?![A-Za-z])|(?<!\s)(?P<letter>[kKMBT])(?![A-Za-z0-9]))"
)
# "$5m" is an amount of money, "5m" a length.
MONEY_LETTER = re.compile(r"\s?([mb])(?![A-Za-z0-9])")
